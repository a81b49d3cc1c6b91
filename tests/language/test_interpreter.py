"""A model writes programs; it can neither answer nor put one thing for another, nor keep anybody waiting."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from scenes import solid_record, state_of
from situ.errors import BadInput, Unanswerable
from situ.language import Vocabulary, ask
from situ.language.interpreter import mentions, prompt, spoken, written
from situ.language.server import Limited, chat_server

WORDS = Vocabulary(
    frozenset({"sofa", "cup", "desk lamp", "dishwasher"}),
    frozenset({("color", "red")}),
    None,
    frozenset({"kitchen"}),
    "kitchen",
)
ODD = "kindly furnish intelligence concerning yon red cup"
RED_CUP = {"ask": "get", "what": "way", "of": {"op": "things", "kind": "cup", "with": {"color": "red"}}}
DISHWASHER = {"ask": "get", "what": "way", "of": {"op": "things", "kind": "dishwasher"}}


def test_what_a_frame_takes_is_never_sent() -> None:
    def model(asked: str) -> str:
        raise AssertionError("the model was asked")

    truth = state_of([solid_record(1, "red", "cone")], {1: {0: 1.0}})
    assert ask(truth, "where is the cone", model=model).value == "front"


def test_a_program_is_checked_and_read() -> None:
    sent: list[str] = []

    def model(asked: str) -> str:
        sent.append(asked)
        return f"Sure! {json.dumps(RED_CUP)} I hope this helps"

    reading = written(model, ODD, WORDS, 600.0)
    assert reading is not None
    assert reading.program == RED_CUP
    assert ODD in sent[0]
    assert "desk lamp" in sent[0]


@pytest.mark.parametrize(
    "reply",
    ["", "none", "The cup is behind you.", "{", '{"ask": "nonsense"}', '{"ask": "count", "of": 7}', "[1]",
     '{"ask": "get", "what": "way"}', '{"refused": true}', "[" * 100_000, '{"kind": "where_am_i"}'],
)  # fmt: skip
def test_a_reply_that_does_not_fit_leaves_the_sentence_not_understood(reply: str) -> None:
    assert written(lambda asked: reply, ODD, WORDS, 600.0) is None


@pytest.mark.parametrize("kind", ["sofa", "unicorn"])
def test_a_thing_that_the_sentence_does_not_name_is_not_put_for_another(kind: str) -> None:
    reply = json.dumps({"ask": "exists", "of": {"op": "things", "kind": kind}})
    with pytest.raises(Unanswerable, match=kind):
        written(lambda asked: reply, ODD, WORDS, 600.0)


def test_names_of_another_language_are_for_the_model_to_translate() -> None:
    german = written(lambda asked: json.dumps(DISHWASHER), "Wo steht die Spülmaschine", WORDS, 600.0)
    assert german is not None
    assert german.program == DISHWASHER
    with pytest.raises(Unanswerable, match="dishwasher"):
        written(lambda asked: json.dumps(DISHWASHER), "what is that machine over there", WORDS, 600.0)


def test_it_is_asked_twice_and_told_what_was_wrong() -> None:
    sent: list[str] = []

    def model(asked: str) -> str:
        sent.append(asked)
        return '{"ask": "nonsense"}' if len(sent) == 1 else json.dumps(RED_CUP)

    assert written(model, ODD, WORDS, 600.0) is not None
    assert "nonsense" in sent[1]


def test_what_a_model_made_of_a_sentence_is_announced() -> None:
    truth = state_of([solid_record(1, "red", "cone")], {1: {0: 1.0}})
    of = {"op": "things", "kind": "cone", "with": {"color": "red"}}
    reply = json.dumps({"ask": "get", "what": "way", "of": of})
    told = ask(truth, "kindly furnish intelligence concerning yon red cone", model=lambda asked: reply)
    assert told.value == "front"
    assert told.taken_as == "where is the red cone"
    assert told.text.startswith("I took this as: where is the red cone. ")


def test_a_synonym_a_fuller_name_or_a_slip_counts_as_mentioned() -> None:
    assert mentions(spoken("got a couch anywhere"), "sofa")
    assert mentions(spoken("the lamp on my desk"), "desk lamp")
    assert mentions(spoken("the soffa"), "sofa")
    assert not mentions(spoken("the lift"), "sofa")
    assert "Things seen: none yet" in prompt("?", Vocabulary(frozenset(), frozenset()), 0.0)


Behaviour = Callable[[socket.socket], None]


@contextmanager
def server(behave: Behaviour) -> Iterator[str]:
    """A server on this machine that does one thing with each connection."""
    listening = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=behave, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        done.set()
        listening.close()


def reply_with(content: str, status: str = "200 OK") -> Behaviour:
    def behave(connection: socket.socket) -> None:
        connection.recv(65536)
        body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode() + body)
        connection.close()

    return behave


def hang(connection: socket.socket) -> None:
    time.sleep(30.0)


def trickle(connection: socket.socket) -> None:
    connection.recv(65536)
    try:
        for letter in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 1000:
            connection.sendall(bytes([letter]))
            time.sleep(0.1)
    except OSError:
        pass


def hang_up(connection: socket.socket) -> None:
    connection.close()


def babble(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(b"\xff\x00 this is no HTTP")
    connection.close()


def test_a_right_server_is_believed() -> None:
    with server(reply_with(json.dumps(RED_CUP))) as url:
        reading = written(chat_server("m", url), ODD, WORDS, 600.0)
    assert reading is not None
    assert reading.program == RED_CUP


@pytest.mark.parametrize(
    "behave",
    [hang, trickle, hang_up, babble, reply_with("no JSON"), reply_with("{}", "500 Oops"),
     reply_with('{"ask": "exists", "of": {"op": "things", "kind": "sofa"}}')],
    ids=["hangs", "trickles", "hangs up", "babbles", "no JSON", "fails", "another thing"],
)  # fmt: skip
def test_a_faulty_server_ends_in_an_honest_refusal_within_the_limit(behave: Behaviour) -> None:
    truth = state_of(
        [solid_record(1, "red", "cup"), solid_record(2, "red", "sofa")], {1: {0: 1.0}, 2: {0: 1.0}}
    )
    with server(behave) as url:
        told = ask(truth, ODD, model=chat_server("m", url, limit_s=1.0))
    assert told.value is None
    assert "do not understand" in told.abstained


def test_no_server_at_all_is_said() -> None:
    with pytest.raises(Unanswerable, match="could not be asked"):
        written(chat_server("m", "http://127.0.0.1:9/v1", limit_s=5.0), ODD, WORDS, 600.0)
    for address in ("localhost:8000", "ftp://x/v1", ""):
        with pytest.raises(BadInput, match="--base-url"):
            chat_server("m", address)
    with pytest.raises(BadInput, match="above 0"):
        Limited(lambda asked, left: "", limit_s=0.0)
