import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from situ.recording import codec
from situ.recording.records import Visible, visible_objects

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=40)
FEW_IDS = hnp.arrays(np.uint16, SHAPES, elements=st.sampled_from([0, 1, 2, 300, 65535]))
ANY_DEPTH = hnp.arrays(np.float32, SHAPES, elements=st.floats(width=32))
NEAR_DEPTH = hnp.arrays(
    np.float32, SHAPES, elements=st.one_of(st.floats(0, 65.5, width=32), st.just(float("inf")))
)


@given(FEW_IDS)
def test_ids_come_back_exactly(ids):
    stored = codec.pack(codec.ids_to_plain(ids))
    assert np.array_equal(codec.ids_from_plain(codec.unpack(stored), *ids.shape), ids)


@given(FEW_IDS)
def test_ids_do_not_depend_on_memory_layout(ids):
    assert codec.ids_to_plain(np.asfortranarray(ids)) == codec.ids_to_plain(ids)


@given(NEAR_DEPTH)
def test_near_depth_is_kept_to_half_a_millimetre_in_two_bytes(depth):
    plain = codec.depth_to_plain(depth)
    back = codec.depth_from_plain(codec.unpack(codec.pack(plain)), *depth.shape)
    finite = np.isfinite(depth)
    assert len(plain) == 1 + 2 * depth.size
    assert back.dtype == np.float32
    assert np.array_equal(np.isposinf(back), np.isposinf(depth))
    assert np.all(np.abs(back[finite].astype(float) - depth[finite]) <= 0.5e-3 + 1e-5)


@given(ANY_DEPTH)
def test_any_depth_survives(depth):
    back = codec.depth_from_plain(codec.depth_to_plain(depth), *depth.shape)
    assert np.array_equal(np.isnan(back), np.isnan(depth))
    assert np.array_equal(np.isinf(back), np.isinf(depth))
    assert np.allclose(back[np.isfinite(depth)], depth[np.isfinite(depth)], rtol=0, atol=0.51e-3)


@pytest.mark.parametrize("value", [65.536, 70.0, 1e36, -1.0, np.nan, -np.inf])
def test_depth_beyond_sixteen_bits_is_kept_whole(value):
    depth = np.array([[0.123456, value]], np.float32)
    back = codec.depth_from_plain(codec.depth_to_plain(depth), 1, 2)
    assert np.array_equal(back, depth, equal_nan=True)


def test_smooth_depth_packs_small():
    rows, columns = np.mgrid[:480, :640]
    depth = (2 + rows * 0.01 + np.sin(columns / 50)).astype(np.float32)
    assert len(codec.pack(codec.depth_to_plain(depth))) < depth.size / 50


@pytest.mark.parametrize("cut", [0, 1, 5, -1])
def test_damaged_bytes_are_noticed(cut):
    packed = codec.pack(codec.ids_to_plain(np.arange(24, dtype=np.uint16).reshape(4, 6)))
    with pytest.raises(ValueError):
        codec.ids_from_plain(codec.unpack(packed[:cut]), 4, 6)


def test_pictures_of_another_size_are_noticed():
    with pytest.raises(ValueError, match="6x5"):
        codec.ids_from_plain(codec.ids_to_plain(np.zeros((4, 6), np.uint16)), 5, 6)
    with pytest.raises(ValueError, match="6x5"):
        codec.depth_from_plain(codec.depth_to_plain(np.zeros((4, 6), np.float32)), 5, 6)
    with pytest.raises(ValueError, match="JPEG"):
        codec.decode_jpeg(b"not a picture")


def test_jpeg_keeps_colour_order_and_full_chroma():
    image = np.zeros((16, 16, 3), np.uint8)
    image[:, ::2] = (255, 0, 0)  # columns one pixel wide: halved chroma would smear them
    image[:, 1::2] = (0, 0, 255)
    data = codec.encode_jpeg(image)
    assert np.abs(codec.decode_jpeg(data).astype(int) - image).max() < 30
    assert data == codec.encode_jpeg(image.copy())
    assert np.array_equal(cv2.imdecode(np.frombuffer(data, np.uint8), 1)[..., ::-1], codec.decode_jpeg(data))


@given(FEW_IDS, st.sets(st.sampled_from([1, 2, 300])))
def test_visible_objects_counts_pixels(ids, ignore):
    expected = tuple(
        Visible(int(i), int((ids == i).sum()), float((ids == i).sum() / ids.size))
        for i in np.unique(ids)
        if i != 0 and int(i) not in ignore
    )
    assert visible_objects(ids, ignore) == expected


@given(FEW_IDS)
def test_visible_objects_do_not_depend_on_where_they_are(ids):
    assert visible_objects(ids) == visible_objects(ids[::-1, ::-1]) == visible_objects(ids.T)


def test_a_size_that_no_picture_has_is_not_made_room_for():
    bomb = (1 << 31).to_bytes(4, "little") + codec.pack(b"\0" * 64)[4:]
    with pytest.raises(ValueError, match="2147483648 bytes, more than"):
        codec.unpack(bomb)
