"""Who may do what: tokens that are kept as hashes, each with its scopes."""

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput
from situ.private_files import make_private_folder, open_new
from situ.serve.failure import forbidden, no_token

SCOPES = ("ask", "look", "ingest", "annotate", "admin")
_SCOPE = re.compile(rf"^(?:{'|'.join(SCOPES)})(?::[A-Za-z0-9_][A-Za-z0-9_.-]{{0,63}})?$")
_HASH = re.compile(r"^[0-9a-f]{64}$")
_LONGEST = 512  # characters of a token that are looked at


@dataclass(frozen=True)
class Caller:
    """Who asks: a token's id, or "" where this server wants none, and what it opens."""

    id: str
    scopes: frozenset[str]

    def may(self, scope: str, memory: str) -> bool:
        """Whether a scope is held for a memory; without a memory, whether it is held for all of them."""
        return scope in self.scopes or (bool(memory) and f"{scope}:{memory}" in self.scopes)

    def need(self, scope: str, memory: str = "") -> None:
        if not self.may(scope, memory):
            raise forbidden(f"this token does not open that: it needs the scope '{scope}' for it")


ANYBODY = Caller("", frozenset(SCOPES))
NOBODY = Caller("", frozenset())


@dataclass(frozen=True)
class Token:
    """A token as it is stored: what it hashes to, never the token."""

    id: str
    hash: str
    scopes: frozenset[str]


class Access:
    """The tokens of a server. Without any everybody may do everything, and `check_address` allows that on
    this machine alone."""

    def __init__(self, tokens: Iterable[Token] = ()) -> None:
        self._tokens = tuple(tokens)

    @property
    def wants_token(self) -> bool:
        return bool(self._tokens)

    def caller(self, token: str | None) -> Caller:
        """Whoever a token belongs to. All tokens are compared, in constant time."""
        if not self._tokens:
            return ANYBODY
        if token is None:
            raise no_token("this server wants a token")
        given, found = hashed(token[:_LONGEST]), None
        for known in self._tokens:
            if hmac.compare_digest(known.hash, given):
                found = known
        if found is None:
            raise no_token("this token is not known here")
        return Caller(found.id, found.scopes)

    def check_address(self, host: str) -> None:
        if not self._tokens and not is_loopback(host):
            raise BadInput(
                f"{host} can be reached from other machines, so a token is needed: make one with "
                "`situ serve --new-token ask,look --token-file tokens.json`, or set SITU_TOKEN"
            )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def scopes_of(text: str) -> frozenset[str]:
    """Scopes with commas between them, such as "ask,look:walk"."""
    found = [part.strip() for part in text.split(",") if part.strip()]
    wrong = [part for part in found if not _SCOPE.match(part)]
    if wrong or not found:
        raise BadInput(
            f"a scope is one of {', '.join(SCOPES)}, for all memories or as in ask:MEMORY; got '{text[:60]}'"
        )
    return frozenset(found)


def read_access(file: Path | None, environment: Mapping[str, str]) -> Access:
    """The tokens of a file, and that of SITU_TOKEN, which opens everything."""
    tokens = _read(file) if file is not None else []
    if file is not None and not tokens:
        raise BadInput(f"{file} holds no token; make one with `situ serve --new-token ask,look`")
    own = environment.get("SITU_TOKEN", "")
    if own:
        if len(own) < 16:
            raise BadInput("SITU_TOKEN is too short to be a secret: give 16 characters or more")
        tokens.append(Token("environment", hashed(own), frozenset(SCOPES)))
    return Access(tokens)


def _read(file: Path) -> list[Token]:
    return [Token(str(row["id"]), row["hash"], scopes_of(",".join(row["scopes"]))) for row in _rows(file)]


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = list(json.loads(file.read_text(encoding="utf-8"))["tokens"])
        for row in rows:
            if not _HASH.match(row["hash"]):
                raise ValueError("a hash is 64 hexadecimal digits")
            str(row["id"]), scopes_of(",".join(row["scopes"]))
        return rows
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadFormat(
            f"{file} is no file of tokens ({str(error)[:80]}); `--new-token` writes one"
        ) from error


def new_token(file: Path, scopes: frozenset[str], name: str = "") -> str:
    """Add a token to a file, which only its owner can read. The token itself is told once, here."""
    rows = _rows(file) if file.exists() else []
    token = secrets.token_urlsafe(32)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    name = name or secrets.token_hex(4)
    rows.append({"id": name, "hash": hashed(token), "scopes": sorted(scopes), "created": made})
    draft = file.with_name(f"{file.name}.draft")
    try:
        make_private_folder(file.parent)
        draft.unlink(missing_ok=True)
        with open_new(draft) as out:
            out.write(json.dumps({"tokens": rows}, indent=1).encode())
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error.strerror}") from error
    return token
