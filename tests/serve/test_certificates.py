"""The certificate that a server makes for itself: it serves, it is kept, its key is private."""

import socket
import ssl
import stat
import threading
from pathlib import Path

import pytest

pytest.importorskip("cryptography")

from situ.errors import BadInput, MissingExtra
from situ.serve import certificates
from situ.serve.certificates import self_signed
from situ.serve.run import Tls

HOST = "127.0.0.1"


def spoken_over(tls: Tls, name: str) -> bytes:
    """A word over a connection to a server of that name, which a client trusts by its certificate alone."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(tls.certificate, tls.key)
    asking = ssl.create_default_context(cafile=str(tls.certificate))
    with socket.create_server((HOST, 0)) as listening:

        def serve() -> None:
            peer, _ = listening.accept()
            with serving.wrap_socket(peer, server_side=True) as secure:
                secure.sendall(b"hello")

        other = threading.Thread(target=serve, daemon=True)
        other.start()
        plain = socket.create_connection(listening.getsockname(), timeout=10)
        with asking.wrap_socket(plain, server_hostname=name) as secure:
            said = secure.recv(9)
        other.join(10)
    return said


@pytest.mark.parametrize("name", ["localhost", HOST])
def test_a_client_that_trusts_it_speaks_to_the_server(name: str, tmp_path: Path) -> None:
    assert spoken_over(self_signed(tmp_path / "tls", HOST), name) == b"hello"


def test_it_is_made_once_and_again_for_another_address(tmp_path: Path) -> None:
    first = self_signed(tmp_path, HOST).certificate.read_bytes()
    assert self_signed(tmp_path, "0.0.0.0").certificate.read_bytes() == first, "everywhere is no address"
    assert self_signed(tmp_path, "203.0.113.7").certificate.read_bytes() != first


@pytest.mark.parametrize("spoiled", ["certificate.pem", "key.pem"])
@pytest.mark.parametrize("text", ["", "not a certificate", "other"])
def test_what_does_not_fit_together_is_made_anew(spoiled: str, text: str, tmp_path: Path) -> None:
    tls = self_signed(tmp_path / "tls", HOST)
    other = self_signed(tmp_path / "other", HOST)
    theirs = (other.certificate if spoiled == "certificate.pem" else other.key).read_text()
    (tmp_path / "tls" / spoiled).write_text(theirs if text == "other" else text)
    assert spoken_over(self_signed(tmp_path / "tls", HOST), HOST) == b"hello"
    assert tls.certificate.exists()


def test_nobody_else_can_read_the_key(tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    tls = self_signed(tmp_path / "tls", HOST)
    assert (mode(tls.key), mode(tls.key.parent)) == (0o600, 0o700)
    tls.key.chmod(0o644)
    assert mode(self_signed(tmp_path / "tls", HOST).key) == 0o600, "one that is kept"
    tls.key.chmod(0o644)
    tls.certificate.unlink()
    assert mode(self_signed(tmp_path / "tls", HOST).key) == 0o600, "one that is made anew"


def test_where_it_cannot_be_kept_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "tls").write_text("a file")
    with pytest.raises(BadInput, match="cannot keep a certificate in"):
        self_signed(tmp_path / "tls", HOST)


def test_without_the_extra_the_line_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> bool:
        raise ImportError("cryptography")

    monkeypatch.setattr(certificates, "_fits", missing)
    with pytest.raises(MissingExtra, match="serve"):
        self_signed(tmp_path / "tls", HOST)
