"""Certificates for TLS between the parts of a cluster: an authority of its own, and one pair."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from engine.errors import ArenaError

NAMES: Final = ("ca.pem", "cert.pem", "key.pem")


def make_certificates(folder: Path, days: int) -> list[Path]:
    """Write ca.pem, cert.pem and key.pem; who has all three is part of the cluster."""
    files = [folder / name for name in NAMES]
    for file in files:
        if file.exists():
            raise ArenaError(f"expected an empty folder for certificates, got {file}")
    authority = ec.generate_private_key(ec.SECP256R1())  # forgotten: nobody else is let in later
    key = ec.generate_private_key(ec.SECP256R1())
    root = _certificate("wonders-arena cluster authority", authority, authority, days)
    cert = _certificate("wonders-arena cluster", key, authority, days)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    pem = serialization.Encoding.PEM
    contents = (root.public_bytes(pem), cert.public_bytes(pem), private)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file, content in zip(files, contents, strict=True):
            fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as out:
                out.write(content)
    except OSError as problem:
        raise ArenaError(f"cannot write to {folder}: {problem.strerror}") from None
    return files


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    authority: ec.EllipticCurvePrivateKey,
    days: int,
) -> x509.Certificate:
    """A certificate of a key, signed by the authority."""
    now = datetime.now(UTC)
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "wonders-arena cluster authority")])
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=key is authority, path_length=None), critical=True)
        .sign(authority, hashes.SHA256())
    )
