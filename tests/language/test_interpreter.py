"""A model writes programs; it can neither answer nor put one thing for another, nor keep anybody waiting."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from scenes import solid_record, state_of
from situ import questions as q
from situ.errors import BadFormat, BadInput
from situ.language import Vocabulary, ask
from situ.language.interpreter import Interpreter, mentions, prompt
from situ.language.parse import Clock, NotUnderstood, OutsideMemory
from situ.language.schema import VERSION, open_kinds, read_question, schema
from situ.language.server import Limited, chat_server
from situ.language.vocabulary import NotSeen
from situ.questions import Selector

WORDS = Vocabulary(
    frozenset({"sofa", "cup", "desk lamp"}),
    frozenset({("color", "red")}),
    None,
    frozenset({"kitchen"}),
    "kitchen",
)
ODD = "kindly furnish intelligence concerning yon red cup"
RED_CUP = {"kind": "where_from_here", "which": {"thing": "cup", "color": "red"}}
CLOCK = Clock(0.0, 600.0)


def test_what_the_grammar_understands_is_never_sent() -> None:
    def model(asked: str) -> str:
        raise AssertionError("the model was asked")

    asked, written = Interpreter(model).parse("where is the cup", WORDS, CLOCK)
    assert asked.question == q.WhereFromHere(Selector.make("cup"))
    assert not written


def test_a_program_is_checked_and_read() -> None:
    sent: list[str] = []

    def model(asked: str) -> str:
        sent.append(asked)
        return f"Sure! {json.dumps(RED_CUP)} I hope this helps"

    asked, written = Interpreter(model).parse(ODD, WORDS, CLOCK)
    assert asked.question == q.WhereFromHere(Selector.make("cup", {"color": "red"}))
    assert written
    assert ODD in sent[0]
    assert "desk lamp" in sent[0]


@pytest.mark.parametrize(
    "reply",
    ["", "none", "The cup is behind you.", "{", '{"kind": "nonsense"}', '{"kind": "count_now"}', "[1]",
     '{"kind": "where_from_here", "which": 7}', '{"kind": "where_from_here", "which": "unicorn"}',
     '{"version": 9, "kind": "where_am_i"}', '{"kind": "where_am_i", "extra": 1}',
     '{"kind": "where_from_here", "which": "sofa"}', '{"kind": "time_in", "place": 3}'],
)  # fmt: skip
def test_a_reply_that_does_not_fit_leaves_the_sentence_not_understood(reply: str) -> None:
    with pytest.raises(NotUnderstood, match="do not understand"):
        Interpreter(lambda asked: reply).parse(ODD, WORDS, CLOCK)


def test_a_model_may_say_that_nothing_asks_this() -> None:
    with pytest.raises(OutsideMemory):
        Interpreter(lambda asked: '{"kind": "refused"}').parse(ODD, WORDS, CLOCK)


def test_it_is_asked_twice_and_told_what_was_wrong() -> None:
    sent: list[str] = []

    def model(asked: str) -> str:
        sent.append(asked)
        return '{"kind": "nonsense"}' if len(sent) == 1 else json.dumps(RED_CUP)

    assert Interpreter(model).parse(ODD, WORDS, CLOCK)[1]
    assert "unknown question kind 'nonsense'" in sent[1]


def test_what_a_model_made_of_a_sentence_is_announced() -> None:
    truth = state_of([solid_record(1, "red", "cone")], {1: {0: 1.0}})
    reply = json.dumps({"kind": "where_from_here", "which": {"thing": "cone", "color": "red"}})
    told = ask(truth, "kindly furnish intelligence concerning yon red cone", model=lambda asked: reply)
    assert told.value == "front"
    assert told.taken_as == "where is the red cone from here"
    assert told.text.startswith("I took this as: where is the red cone from here. ")


def test_every_open_kind_is_in_the_schema_and_reads_back() -> None:
    published = {one["properties"]["kind"]["const"] for one in schema()["oneOf"]}
    assert published == set(open_kinds())
    assert len(published) > 45
    assert schema()["version"] == VERSION
    since = read_question({"kind": "changes", "since_seconds_ago": 60, "place": "the kitchen"}, WORDS, 600.0)
    assert since == q.Changes(540.0, "kitchen")
    with pytest.raises(BadFormat, match="takes no argument 'since'"):
        read_question({"kind": "changes", "since": 60}, WORDS, 600.0)
    with pytest.raises(NotSeen):
        read_question({"kind": "time_in", "place": "attic"}, WORDS, 600.0)


def test_a_synonym_a_fuller_name_or_a_slip_counts_as_mentioned() -> None:
    assert mentions("got a couch anywhere", Selector.make("sofa"))
    assert mentions("the lamp on my desk", Selector.make("desk lamp"))
    assert mentions("the soffa", Selector.make("sofa"))
    assert not mentions("the lift", Selector.make("sofa"))
    assert "Things seen: none yet" in prompt("?", Vocabulary(frozenset(), frozenset()))


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
        asked, written = Interpreter(chat_server("m", url)).parse(ODD, WORDS, CLOCK)
    assert written
    assert asked.question == q.WhereFromHere(Selector.make("cup", {"color": "red"}))


@pytest.mark.parametrize(
    "behave",
    [hang, trickle, hang_up, babble, reply_with("no JSON"), reply_with("{}", "500 Oops"),
     reply_with('{"kind": "where_from_here", "which": "sofa"}')],
    ids=["hangs", "trickles", "hangs up", "babbles", "no JSON", "fails", "another thing"],
)  # fmt: skip
def test_a_faulty_server_ends_in_an_honest_refusal_within_the_limit(behave: Behaviour) -> None:
    limit_s = 1.0
    with server(behave) as url:
        start = time.monotonic()
        with pytest.raises(NotUnderstood, match="do not understand"):
            Interpreter(chat_server("m", url, limit_s=limit_s)).parse(ODD, WORDS, CLOCK)
        assert time.monotonic() - start < 20.0  # far from the 30 s that a hanging server takes


def test_no_server_at_all_is_said() -> None:
    with pytest.raises(NotUnderstood, match="could not be asked"):
        Interpreter(chat_server("m", "http://127.0.0.1:9/v1", limit_s=5.0)).parse(ODD, WORDS, CLOCK)
    for address in ("localhost:8000", "ftp://x/v1", ""):
        with pytest.raises(BadInput, match="--base-url"):
            chat_server("m", address)
    with pytest.raises(BadInput, match="above 0"):
        Limited(lambda asked, left: "", limit_s=0.0)
