"""QR codes for links."""


def qr_code(text: str) -> list[str]:
    """Return the rows of a QR code, "1" for a dark module, without the margin around it."""
    import segno  # the import takes a while, and few servers draw a code soon after they start

    return [bytes(row).translate(_DIGITS).decode() for row in segno.make_qr(text, error="m").matrix]


_DIGITS = bytes([ord("0"), ord("1")]) + bytes(254)
