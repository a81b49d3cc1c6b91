"""What lists leave out: what was only glimpsed, and who has walked on since."""

from situ.geometry.pose import camera_pose
from situ.memory import Observation, ObservedFrame, SpatialMemory
from situ.questions import Around, ContentsOf, CountRelated, Exists, RelatedTo, Selector


def at_a_table(clarity: float, person_until: int, seconds: int = 40) -> SpatialMemory:
    """A table with a plate that is clear and a cup that is so clear, and somebody beside it for a while."""
    memory = SpatialMemory.create(":memory:")
    for second in range(seconds):
        seen = [
            Observation("table", (2.0, 0.0, 0.4), size=(1.0, 1.0, 0.8)),
            Observation("plate", (2.2, 0.1, 0.85), size=(0.2, 0.2, 0.1)),
        ]
        if second < 2:
            seen.append(Observation("cup", (1.8, -0.2, 0.85), size=(0.1, 0.1, 0.1), clarity=clarity))
        if second < person_until:
            seen.append(Observation("housemate", (2.0, 1.2, 0.9), size=(0.4, 0.4, 1.8)))
        pose = camera_pose((0.0, 0.0, 1.6), 0.0)
        memory.observe(ObservedFrame(float(second), pose, observations=tuple(seen), place="kitchen"))
    return memory


def test_what_was_only_glimpsed_is_neither_listed_nor_counted() -> None:
    table, cup = Selector.make("table"), Selector.make("cup")
    for clarity, number in ((1.0, 1), (0.5, 0)):
        state = at_a_table(clarity, 0).state()
        assert "plate" in str(RelatedTo("on", table).answer(state).value)
        assert ("cup" in str(RelatedTo("on", table).answer(state).value)) == number
        assert CountRelated("on", table, cup).answer(state).value == number
        assert ("cup" in str(Around().answer(state).value)) == number
        assert ("cup" in str(ContentsOf("kitchen").answer(state).value)) == number


def test_what_was_only_glimpsed_is_there_all_the_same() -> None:
    """To be a thing is not to be one that counts: who asks whether there is a cup wants to know of it."""
    clear, glimpsed = (Exists(Selector.make("cup")).answer(at_a_table(c, 0).state()) for c in (1.0, 0.5))
    assert clear.value == glimpsed.value == "yes"
    assert glimpsed.odds == clear.odds


def test_somebody_who_walks_is_not_told_of_long_after() -> None:
    memory = at_a_table(1.0, 30, 200)
    near = [str(Around().answer(memory.state(float(at))).value) for at in (29, 199)]
    assert ["housemate" in words for words in near] == [True, False]
    assert all("plate" in words for words in near)
