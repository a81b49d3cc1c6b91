"""What is worked out beside the frames: the path does not depend on who does it, when, or where it is cut."""

import pickle
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from situ.perception.odometry import RgbdOdometry, RgbOdometry, thread_pool
from situ.perception.odometry.serialization import _encoded, load_state, save_state
from situ.perception.odometry.thread_pool import FrameFuture, set_thread_count


@pytest.fixture(autouse=True)
def one_thread_afterwards():
    yield
    set_thread_count(1)


def soonest_and_latest(task):
    """Done before the frames go on, and again when it is asked for: it must not matter."""
    first = spelt_out(task())

    def ask():
        made = task()
        assert spelt_out(made) == first
        return made

    return ask


def spelt_out(made):
    arrays = []
    tree = _encoded(made, arrays, {})
    return tree, [(array.dtype, array.shape, array.tobytes()) for array in arrays]


@pytest.fixture(scope="module")
def there_and_back(l_walk):
    """Every place is seen again, so that loops are found and the graph is solved."""
    there = l_walk[0][:30]
    end = 2 * there[-1][0] + 0.1
    return [*there, *((end - time, *rest) for time, *rest in there[::-1])]


def walked(kind, camera, clip, cuts=(), file=None):
    odometry = kind(camera)
    for i, (time, rgb, depth) in enumerate(clip):
        if i in cuts:
            save_state({"odometry": odometry}, file)
            odometry = load_state(file)["odometry"]
        odometry.step(time, rgb, depth if kind is RgbdOdometry else None)
    return odometry


@pytest.fixture(scope="module", params=[RgbdOdometry, RgbOdometry])
def kind_and_path(request, camera, there_and_back):
    """By one thread, which works when the result is asked for."""
    set_thread_count(1)
    odometry = walked(request.param, camera, there_and_back)
    return request.param, odometry.result().path.poses


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(st.integers(1, 59), max_size=20), st.sampled_from([1, 2, 4]))
def test_the_path_is_the_same_whoever_works_and_wherever_it_is_cut(
    kind_and_path, camera, there_and_back, tmp_path, cuts, threads
):
    kind, whole = kind_and_path
    set_thread_count(threads)
    odometry = walked(kind, camera, there_and_back, cuts, tmp_path / "o")
    assert np.array_equal(odometry.result().path.poses, whole)


def test_what_is_worked_out_does_not_depend_on_when(kind_and_path, camera, there_and_back, monkeypatch):
    kind, whole = kind_and_path
    monkeypatch.setattr(thread_pool, "submit", soonest_and_latest)
    assert np.array_equal(walked(kind, camera, there_and_back).result().path.poses, whole)


def test_such_a_walk_has_loops_and_solutions_and_those_of_the_last_frames_are_heeded(camera, there_and_back):
    """Wherever it ends: with stations that nobody has looked at, and a graph that is being solved."""
    stations_open = solutions_open = 0
    odometry = walked(RgbdOdometry, camera, there_and_back[:40])
    for time, rgb, depth in there_and_back[40:]:
        odometry.step(time, rgb, depth)
        ended = pickle.loads(pickle.dumps(odometry))
        ended.result()
        assert len(ended.keyframes.places) == len(ended.graph.stations)
        stations_open += len(odometry.keyframes.places) < len(odometry.graph.stations)
        solutions_open += ended.revision > odometry.revision
        told = ended.result().path.poses
        ended.finish()  # nothing is left
        assert np.array_equal(ended.result().path.poses, told)
    assert len(odometry.graph.loops)
    assert stations_open
    assert solutions_open


@pytest.mark.parametrize("threads", [1, 3])
def test_the_task_is_done_once_and_its_outcome_travels(tmp_path, threads):
    set_thread_count(threads)
    done = []
    one = FrameFuture(lambda: done.append(1) or [len(done), 0.5], due=7)
    copies = [pickle.loads(pickle.dumps(one))]
    save_state({"one": one}, tmp_path / "o")
    copies.append(load_state(tmp_path / "o")["one"])
    for copy in [one, *copies]:
        assert (copy.due, copy.result) == (7, [1, 0.5])


@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_is_raised_where_it_would_be_adopted(threads):
    set_thread_count(threads)
    with pytest.raises(ZeroDivisionError):
        _ = FrameFuture(lambda: 1 // 0, due=1).result


def test_others_work_while_the_frames_go_on():
    set_thread_count(2)
    go_on = threading.Event()
    one = FrameFuture(go_on.wait, due=1)  # who did it here would wait forever
    go_on.set()
    assert one.result is True


def test_copies_of_keyframes_and_equations_stay_as_they_were(camera, there_and_back):
    odometry = walked(RgbdOdometry, camera, there_and_back)
    odometry.finish()
    copy, solving = odometry.keyframes.snapshot(), odometry.graph.solving(odometry.keyframes)
    before = spelt_out(copy), spelt_out(solving())
    odometry.keyframes.poses += 1.0
    odometry.keyframes.scales *= 2.0
    for table in (odometry.graph.stations, odometry.graph.loops):
        for column in table.columns.values():
            column += 1.0
    assert (spelt_out(copy), spelt_out(solving())) == before
