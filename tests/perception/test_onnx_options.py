"""Sums of bytes are asked to be exact wherever the processor does not make them so by itself."""

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra 'eyes' (onnxruntime)")

from situ.perception import onnx_options


@pytest.mark.parametrize(
    ("flags", "asked"),
    [
        ("fpu avx2 avx512f avx512_vnni amx_int8", False),
        ("fpu avx2 avx_vnni", False),
        ("fpu avx2 avx512f avx512bw", True),
        ("fpu avx2 not_avx_vnni_2x", True),
        (None, True),  # no such file: not Linux
    ],
)
def test_exact_sums_are_asked_for_where_they_are_not_a_matter_of_course(
    flags: str | None, asked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "cpuinfo"
    if flags is not None:
        about.write_text(f"processor\t: 0\nmodel name\t: avx512_vnni\nflags\t\t: {flags}\n")
    monkeypatch.setattr(onnx_options, "_PROCESSOR", about)
    entries = onnx_options.session_options()
    if asked:
        assert entries.get_session_config_entry(onnx_options._WITHOUT_OVERFLOW) == "1"
    else:
        with pytest.raises(RuntimeError):
            entries.get_session_config_entry(onnx_options._WITHOUT_OVERFLOW)
