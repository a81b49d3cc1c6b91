"""Places that share words with a frame."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from situ.perception.odometry.place_recognition import WordIndex

FEW_WORDS = st.integers(0, 6).flatmap(
    lambda count: arrays(np.uint16, (8, count), elements=st.sampled_from([0, 3, 9, 500, 65535]))
)


@given(st.lists(FEW_WORDS, max_size=5), FEW_WORDS, st.sampled_from("CF"))
def test_places_come_in_the_order_of_the_words_that_they_share_rare_ones_counting_more(places, now, order):
    scores = np.zeros(len(places))
    for table, shown in enumerate(now):
        often = Counter(word for words in places for word in words[table].tolist())
        for place, words in enumerate(places):
            scores[place] += sum(1 / often[word] for word in words[table].tolist() if word in shown)
    likely = WordIndex([np.array(words, order=order) for words in places]).likely(now, 3)
    assert len(likely) == min(3, int((scores > 0).sum()))
    assert np.allclose(scores[likely], np.sort(scores)[::-1][: len(likely)])
