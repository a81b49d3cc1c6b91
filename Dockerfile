# A served memory in a container: docker build -t situ . && docker run --rm -p 127.0.0.1:8765:8765 \
#   -e SITU_TOKEN="$(openssl rand -hex 24)" -v "$PWD/memories:/memories" situ /memories/walk.situ --ingest
# Its steps are run one by one, without a container engine, by `tools/container_steps.sh`.
FROM python:3.12-slim

RUN useradd --create-home situ && mkdir /memories && chown situ /memories
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m pip install --no-cache-dir '.[serve]'

USER situ
ENV SITU_CACHE=/home/situ/.cache/situ
# Kernels are compiled when the image is made, not when the first frame comes.
RUN python -m situ.serve.warm
EXPOSE 8765
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/v1/healthz', timeout=3)"]
# Beyond the container's own loopback a token is needed: set SITU_TOKEN, or mount a file for --token-file.
ENTRYPOINT ["situ", "serve", "--host", "0.0.0.0"]
CMD ["--help"]
