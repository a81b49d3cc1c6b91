"""Questions as a task of Inspect AI: providers, retries, rate limits, logs and resuming are the engine's.

Its samples hold no pictures. A sample's frames are put into the message when its turn comes and are gone
when it is done, so that memory does not grow with the set; and logs never hold them.
"""

import base64
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    Model,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParam, ToolParams

from situ.benchmarks.dataset import QuestionRow
from situ.errors import SituError
from situ.evaluation.models.clip import encode_clip
from situ.evaluation.models.engine_scores import RECORD, points_scorer
from situ.evaluation.models.extract import extractor_words, judge_words, needs_extractor, read_extracted
from situ.evaluation.models.model_job import ModelJob
from situ.evaluation.models.prompt import FPS, Clip, Part
from situ.evaluation.models.provider_errors import Filtered, KeyRefused, MalformedReply
from situ.evaluation.models.settings import EXTRACTOR, JUDGE, PROXY
from situ.evaluation.models.strategies import find_strategy
from situ.evaluation.models.strategy import MODEL, Case, Notes, Outcome, Tool
from situ.evaluation.models.watchdog import Lost, Watchdog
from situ.evaluation.participants.memory_cache import Memories
from situ.evaluation.records.answer import AnswerRecord, Effort, Status, failed
from situ.evaluation.records.frames import PictureStore
from situ.evaluation.replies.number import read_mark
from situ.evaluation.runs.score import read, scored_reading

_KEPT_PICTURES = 256
_MOST_CALLS = 8  # rounds of tool calls; then the model must answer


def build_task(model_job: ModelJob, name: str = "situ") -> Task:
    """The task of a job."""
    rows = model_job.job.rows
    samples = [Sample(input=row.text, target=row.answer, id=row.id) for row in rows]
    return Task(
        dataset=MemoryDataset(samples, name=str(model_job.job.dataset.folder)),
        solver=_solver(model_job),
        scorer=points_scorer(model_job.job.protocol.benchmark),
        name=name,
        config=GenerateConfig(temperature=0.0),
        fail_on_error=False,
        early_stopping=model_job.watchdog,
    )


class EngineAsk:
    """Puts words and pictures to a model of the engine, and adds up what it costs."""

    def __init__(
        self,
        watchdog: Watchdog,
        prices: tuple[float | None, float | None] = (None, None),
        proxy_thinking: int = 0,
    ) -> None:
        self.effort = Effort()
        self.output = ModelOutput()
        self._watchdog = watchdog
        self._prices = prices
        self._thinking = {PROXY: proxy_thinking or None}  # tokens

    async def __call__(
        self,
        system: str,
        parts: Sequence[Part],
        who: str = MODEL,
        max_tokens: int | None = None,
        temperature: float | None = None,
        fps: float | None = None,
        tools: Sequence[Tool] = (),
    ) -> str:
        model = get_model() if who == MODEL else get_model(role=who, default=get_model())
        messages: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
        rate = {} if fps is None else {FPS: fps}
        messages.append(ChatMessageUser(content=[_content(part) for part in parts], metadata=rate))
        if who != MODEL and temperature is None:
            temperature = 0.0  # a judge, a reader or an extractor is to say the same every time
        config = GenerateConfig(
            max_tokens=max_tokens, temperature=temperature, reasoning_tokens=self._thinking.get(who)
        )
        await self._generate(model, messages, [_definition(tool) for tool in tools], config)
        return self.output.completion

    async def _generate(
        self, model: Model, messages: list[ChatMessage], tools: list[ToolDef], config: GenerateConfig
    ) -> None:
        """The model's reply; as long as it calls tools instead, they are called, up to a bound."""
        for left in reversed(range(_MOST_CALLS + 1 if tools else 1)):
            start = time.perf_counter()
            request = model.generate(messages, tools=tools if left else [], config=config)
            self.output = await self._watchdog.ask(model, request)
            self._add(time.perf_counter() - start)
            if not self.output.message.tool_calls:
                return
            messages.append(self.output.message)
            messages.extend((await execute_tools(messages, tools)).messages)

    def _add(self, seconds: float) -> None:
        usage = self.output.usage
        spent = Effort(seconds, 1)
        if usage:
            cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
            tokens = usage.input_tokens + cached, usage.output_tokens
            spent = Effort(seconds, 1, *tokens, self._cost(*tokens, usage.total_cost))
        self.effort += spent

    def _cost(self, tokens_in: int, tokens_out: int, told: float | None) -> float | None:
        """In dollars: by the prices given, else as the provider says."""
        per_in, per_out = self._prices
        if per_in is None and per_out is None:
            return told
        return (tokens_in * (per_in or 0.0) + tokens_out * (per_out or 0.0)) / 1e6


def _definition(tool: Tool) -> ToolDef:
    async def call(**arguments: Any) -> str:
        return await tool.call(arguments)

    schema = tool.parameters
    known = {name: ToolParam.model_validate(part) for name, part in schema.get("properties", {}).items()}
    parameters = ToolParams(properties=known, required=list(schema.get("required", ())))
    return ToolDef(call, tool.name, tool.description, parameters)


def _content(part: Part) -> Content:
    if isinstance(part, Clip):
        film = base64.b64encode(encode_clip(part.jpegs, part.fps)).decode()
        return ContentVideo(video=f"data:video/mp4;base64,{film}", format="mp4")
    return ContentText(text=part) if isinstance(part, str) else ContentImage(image=data_url(part))


@lru_cache(maxsize=_KEPT_PICTURES)
def data_url(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()


@solver(name="situ_strategy")
def _solver(model_job: ModelJob) -> Solver:
    job = model_job.job
    rows = {row.id: row for row in job.rows}
    store = PictureStore(job.dataset.recording)
    notes, memories = Notes(model_job.notes), Memories(model_job.memories)
    answer = find_strategy(model_job.strategy)
    begun = False

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal begun
        if not begun:
            begun = True
            model_job.watchdog.begin()
        row = rows[str(state.sample_id)]
        for tries_left in reversed(range(model_job.retries + 1)):
            ask = EngineAsk(model_job.watchdog, model_job.prices, model_job.proxy_thinking)
            try:
                case = Case(row, job.protocol, store, job.frames, model_job.template, notes, job.parser)
                case = replace(case, memories=memories, prompts=model_job.prompts)
                outcome = await answer(case, ask)
                stop = str(ask.output.stop_reason) if ask.output.choices else ""  # not every way asks a model
                record = replace(await _read(model_job, row, outcome, ask.effort), stop=stop)
            except KeyRefused as error:
                model_job.watchdog.lose(str(error))
                raise
            except Lost:
                raise
            except MalformedReply as error:
                if tries_left:
                    continue
                record = failed(row, str(error), ask.effort)
            except Filtered as error:
                record = replace(failed(row, str(error), ask.effort), status=Status.REFUSED)
            except SituError as error:  # a damaged recording, a complaint: asking again would not help
                record = failed(row, str(error), ask.effort)
            except Exception as error:
                model_job.watchdog.failed(error)
                if tries_left:  # here: the engine draws a picture of the whole stack before it tries again
                    continue
                raise
            else:
                model_job.watchdog.answered()
            break
        state.output = ask.output
        state.metadata[RECORD] = record.to_json()
        model_job.records[row.id] = record
        if model_job.keep:
            model_job.keep(record)
        if model_job.progress:
            model_job.progress(len(model_job.records), len(rows))
        return state

    return solve


async def _read(model_job: ModelJob, row: QuestionRow, outcome: Outcome, effort: Effort) -> AnswerRecord:
    """The record of a reply: read by rule, else by an extractor; graded by a judge, where there are such."""
    job = model_job.job
    reading = read(job.protocol, job.parser, row, outcome.reply)
    if model_job.extracted and outcome.reply.strip() and needs_extractor(reading):
        extractor = EngineAsk(model_job.watchdog)
        system, request = extractor_words(model_job.prompts.of("extractor"), row, outcome.reply)
        words = await extractor(system, [request], EXTRACTOR)
        reading, effort = read_extracted(row, reading, words), effort + extractor.effort
    record = scored_reading(
        job.protocol, row, outcome.reply, reading, outcome.frames, outcome.frames_hash, outcome.words.hash
    )
    marks: list[int | None] = [None, None]
    if model_job.judged:
        judge = EngineAsk(model_job.watchdog)
        system, request = judge_words(model_job.prompts.of("judge"), row, outcome.reply)
        for grading in range(2 if model_job.grades_again(row.id) else 1):
            marks[grading] = read_mark(await judge(system, [request], JUDGE))
        effort += judge.effort
    return replace(record, mark=marks[0], second_mark=marks[1], effort=effort)
