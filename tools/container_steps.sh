#!/usr/bin/env bash
# The steps of the Dockerfile one by one, where there is no container engine: install from the checkout into a fresh
# environment, warm up, start with a token, ask for health and for a token, stop. Says what failed, if anything did.
set -euo pipefail
trap 'echo "failed: line $LINENO, $BASH_COMMAND"' ERR
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'kill "${server:-0}" 2>/dev/null || true; rm -rf "$room"' EXIT
cp -r pyproject.toml README.md LICENSE src "$room/"
python3 -m venv "$room/env"
"$room/env/bin/python" -m pip install --quiet --disable-pip-version-check "$room[serve]"
export SITU_CACHE="$room/cache" SITU_TOKEN=0123456789abcdef0123
"$room/env/bin/python" -m situ.serve.warm
"$room/env/bin/situ" serve --host 0.0.0.0 --port 8799 "$room/live.situ" --ingest 2>"$room/log" &
server=$!
for _ in $(seq 120); do
  curl -sf http://127.0.0.1:8799/v1/healthz >/dev/null && break
  sleep 0.5
done
curl -sf http://127.0.0.1:8799/v1/healthz >/dev/null || { echo "it does not answer"; cat "$room/log"; exit 1; }
[ "$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8799/v1/memories)" = 401 ] || { echo "it lets anybody in"; exit 1; }
curl -sf -H "Authorization: Bearer $SITU_TOKEN" http://127.0.0.1:8799/v1/memories | "$room/env/bin/python" -c \
  'import json, sys; assert [m["memory"] for m in json.load(sys.stdin)["memories"]] == ["live"]'
kill -TERM "$server"
wait "$server" || true
echo "every step of the Dockerfile works"
