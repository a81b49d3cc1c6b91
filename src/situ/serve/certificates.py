"""A certificate for a server that has none: made here, trusted by nobody else, enough for a phone nearby."""

import ipaddress
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

from situ.errors import BadInput, MissingExtra
from situ.private_files import make_private_folder, open_new
from situ.serve.run import Tls

_DAYS = 365


def self_signed(folder: Path, host: str) -> Tls:
    """The certificate of a folder, made if it is not there, is old, is for other names or for another key."""
    tls = Tls(folder / "certificate.pem", folder / "key.pem")
    names = ["localhost", socket.gethostname()]
    addresses = sorted({"127.0.0.1", *([host] if _is_address(host) else []), *own_addresses()})
    try:
        if not _fits(tls, names, addresses):
            make_private_folder(folder)
            _make(tls, names, addresses)
        tls.key.chmod(0o600)  # whoever can read it can pretend to be this server
    except OSError as error:
        raise BadInput(f"cannot keep a certificate in {folder}: {error.strerror}") from error
    except ImportError as error:
        raise MissingExtra("serve", "a certificate") from error
    return tls


def own_addresses() -> list[str]:
    """The address by which others nearby reach this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is looked up
            return [str(probe.getsockname()[0])]
        except OSError:
            return []


def _is_address(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _fits(tls: Tls, names: list[str], addresses: list[str]) -> bool:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not (tls.certificate.exists() and tls.key.exists()):
        return False
    try:
        known = x509.load_pem_x509_certificate(tls.certificate.read_bytes())
        spoken = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        key = load_pem_private_key(tls.key.read_bytes(), None)
    except (ValueError, TypeError, x509.ExtensionNotFound):
        return False
    covered = {
        *spoken.get_values_for_type(x509.DNSName),
        *map(str, spoken.get_values_for_type(x509.IPAddress)),
    }
    lasts = known.not_valid_after_utc > datetime.now(UTC) + timedelta(days=1)
    return lasts and {*names, *addresses} <= covered and known.public_key() == key.public_key()


def _make(tls: Tls, names: list[str], addresses: list[str]) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "situ")])
    spoken = [x509.DNSName(n) for n in names] + [x509.IPAddress(ipaddress.ip_address(a)) for a in addresses]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName(spoken), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    tls.key.unlink(missing_ok=True)  # one that is there may be open to others
    with open_new(tls.key) as out:
        out.write(secret)
    tls.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
