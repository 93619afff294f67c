"""Portions of matches to the machines of a cluster, in the style of concurrent.futures."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Executor, Future
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from arena.cluster.address import ClusterAddress
from arena.cluster.dask_backend import (
    CLOSE,
    CONNECT,
    LEAVE,
    REMIND,
    MachineState,
    SchedulerClient,
    silence,
)
from arena.cluster.facts import MachineFacts
from arena.cluster.kit import Kit, pack_call, unpack_answer
from arena.cluster.machine import open_local
from arena.cluster.packed_bots import MachineRefusedError
from arena.playing.progress import notify
from arena.playing.runner import PortionLostError
from engine.errors import ArenaError

LOOK: Final = 1.0  # seconds between two looks at which machines are there
SILENCE: Final = 30.0  # seconds after which a machine that says nothing is taken for gone
PATIENCE: Final = 10.0  # seconds that machines have to turn up

T = TypeVar("T")


@dataclass
class _Call:
    """A portion, and who waits for it."""

    future: Future[Any]
    portion: bytes
    matches: int


@dataclass
class _Machine:
    """A machine that plays, and what it has under way."""

    facts: MachineFacts
    last_seen: float
    heard: float  # when that changed, by the clock of this process
    doubt: str = ""  # why it is set aside until it is measured again
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def load(self) -> float:
        """Portions a core."""
        return len(self.tasks) / self.facts.cores


class ClusterExecutor(Executor):
    """Plays portions on machines; one that is lost with its machine raises PortionLostError.

    Each machine has a portion a core, and as many to go on with. When the scheduler is gone, what
    was under way is lost, and what is submitted waits until one is back. An error that nobody
    expected ends all that was submitted, and all that is submitted later.
    """

    def __init__(self, address: ClusterAddress, kit: Kit) -> None:
        silence()
        self._address = address
        self._kit = kit
        self._machines: dict[str, _Machine] = {}
        self._refused: dict[str, str] = {}  # by address, why
        self._silent: dict[str, float] = {}  # by address, when it was heard last
        self._said: set[str] = set()
        self._waiting: deque[_Call] = deque()
        self._playing: dict[asyncio.Task[None], _Call] = {}
        self._unfinished: set[Future[Any]] = set()
        self._failure: BaseException = PortionLostError("the cluster was left")  # once it is over
        self._next_machine_line = time.monotonic() + PATIENCE  # when to say that no machine plays
        self._next_scheduler_line = 0.0  # when to say that there is no connection
        self._connection: SchedulerClient | None = None
        self._ready: Future[None] = Future()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()
        self._ready.result()

    # --- called by the runner ---

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a portion played."""
        assert not kwargs
        call = _Call(Future(), pack_call(fn, *args), len(args[-1]))
        self._unfinished.add(call.future)
        call.future.add_done_callback(self._unfinished.discard)
        try:
            self._loop.call_soon_threadsafe(self._add, call)
        except RuntimeError:  # the loop is closed
            raise self._failure from None
        return call.future

    def slots(self) -> int:
        """Matches at once, on the machines that are there."""
        playing = [machine for machine in list(self._machines.values()) if not machine.doubt]
        return max(1, sum(machine.facts.cores for machine in playing))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(LEAVE)
        if self._thread.is_alive():
            self._say("the connection to the scheduler does not end; it is left behind")

    # --- in the thread of the loop ---

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._main())
        except BaseException as problem:
            self._failure = problem
        self._loop.close()  # from now on nothing can be submitted
        for future in (self._ready, *self._unfinished):
            if future.running() or (not future.done() and future.set_running_or_notify_cancel()):
                future.set_exception(self._failure)

    async def _main(self) -> None:
        async with AsyncExitStack() as stack:
            address = self._address
            if address.cores:
                url = await stack.enter_async_context(open_local(address.cores))
            else:
                url = address.url
            while not self._over.is_set():
                cause = ""  # why there is no connection
                try:
                    connection = await self._within(CONNECT, SchedulerClient.open(url, address.tls))
                    try:
                        await self._within(CONNECT, connection.check_versions())
                        await self._serve(connection)
                    finally:
                        self._connection = None
                        self._machines.clear()
                        self._lose(self._playing, f"no connection to the scheduler at {url}")
                        await connection.close()
                except OSError as problem:
                    cause = f": {problem}" if str(problem) else ""
                if self._over.is_set():
                    return
                if not self._ready.done():
                    raise ArenaError(f"expected a scheduler at {url}, got no answer{cause}")
                if time.monotonic() >= self._next_scheduler_line:
                    self._next_scheduler_line = time.monotonic() + REMIND
                    line = f"no connection to the scheduler at {url}; matches wait for it{cause}"
                    self._say(line)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), LOOK)

    async def _serve(self, connection: SchedulerClient) -> None:
        """Hand out portions while there is a scheduler; OSError if it does not answer."""
        connection.put_kit(self._kit)
        self._refused.clear()
        self._silent.clear()
        self._connection = connection
        while not self._over.is_set() and not connection.is_lost:
            self._update(await self._within(SILENCE, connection.machines()))
            self._next_scheduler_line = 0.0
            if not self._ready.done():
                self._ready.set_result(None)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), LOOK)

    async def _within(self, seconds: float, answer: Coroutine[Any, Any, T]) -> T:
        """An answer; TimeoutError if it takes longer, or if all is over before."""
        asked, over = self._loop.create_task(answer), self._loop.create_task(self._over.wait())
        first = asyncio.FIRST_COMPLETED
        done, waiting = await asyncio.wait((asked, over), timeout=seconds, return_when=first)
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting, timeout=2 * CLOSE)  # Dask may not heed it
        if asked not in done:
            raise TimeoutError
        return asked.result()

    def _update(self, states: list[MachineState]) -> None:
        """Take up machines that came, drop those that went or fell silent."""
        now = time.monotonic()
        for state in states:
            self._meet(state, now)
        there = {state.address for state in states}
        for address, machine in list(self._machines.items()):
            is_silent = now - machine.heard > SILENCE
            if is_silent:
                self._silent[address] = machine.last_seen
                self._say(f"{machine.facts.machine} does not respond; others play its matches")
            if is_silent or address not in there:
                del self._machines[address]
                self._lose(machine.tasks, f"{machine.facts.machine} is gone")
        if any(not machine.doubt for machine in self._machines.values()):
            self._next_machine_line = now + PATIENCE
        elif now > self._next_machine_line:
            self._next_machine_line = now + REMIND
            aside = "; --time-factor off plays on those set aside" if self._machines else ""
            self._say(f"no machine may play; matches wait{aside}")
        self._dispatch()

    def _meet(self, state: MachineState, now: float) -> None:
        known = self._machines.get(state.address)
        if known is not None:
            if state.last_seen != known.last_seen:
                known.last_seen, known.heard = state.last_seen, now
            self._set_aside(known, state)
            return
        if state.address in self._refused or self._silent.get(state.address) == state.last_seen:
            return
        if state.facts is None:
            self._refuse(
                state.address, state.address, "expected a worker of this version, got another"
            )
        elif problem := self._kit.demands.refusal(state.facts):
            self._refuse(state.address, state.facts.machine, problem)
        else:
            self._machines[state.address] = met = _Machine(state.facts, state.last_seen, now)
            self._set_aside(met, state)

    def _set_aside(self, machine: _Machine, state: MachineState) -> None:
        """Have a machine wait while its clock cannot be relied on, or play again."""
        before, machine.doubt = machine.doubt, self._kit.demands.doubt(state.speed, state.noise)
        name = machine.facts.machine
        if machine.doubt and not before:
            line = f"{name} is set aside for bots with a time limit: {machine.doubt}"
            self._say_once(line, f"{name} is set aside")
        elif before and not machine.doubt:
            self._say_once(f"{name} plays again")

    def _refuse(self, address: str, name: str, problem: str) -> None:
        self._refused[address] = problem
        self._machines.pop(address, None)
        self._say_once(f"{name} is not given matches: {problem}")

    def _lose(self, tasks: Iterable[asyncio.Task[None]], why: str) -> None:
        """Take portions for lost; not left to their tasks, which may not have begun yet."""
        for task in list(tasks):
            task.cancel()
            self._playing.pop(task).future.set_exception(PortionLostError(why))

    def _add(self, call: _Call) -> None:
        self._waiting.append(call)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give what waits to the machines that have the least to do."""
        if self._connection is None:
            return
        while self._waiting:
            playing = [(m.load, address) for address, m in self._machines.items() if not m.doubt]
            load, address = min(playing, default=(2.0, ""))
            if load >= 2:
                return
            machine = self._machines[address]
            call = self._waiting.popleft()
            # What another machine has refused is running already.
            if not (call.future.running() or call.future.set_running_or_notify_cancel()):
                continue
            task = self._loop.create_task(self._play(self._connection, address, machine, call))
            machine.tasks.add(task)
            self._playing[task] = call

    async def _play(
        self, connection: SchedulerClient, address: str, machine: _Machine, call: _Call
    ) -> None:
        """See a portion through to its end, unless it is taken for lost before."""
        task = asyncio.current_task()
        assert task is not None
        try:
            answer = await connection.play(address, call.portion, call.matches)
            call.future.set_result(unpack_answer(answer, machine.facts.machine))
        except MachineRefusedError as problem:
            self._waiting.appendleft(call)
            self._refuse(address, machine.facts.machine, str(problem))
        except Exception as problem:
            call.future.set_exception(problem)
        finally:
            self._playing.pop(task, None)
            machine.tasks.discard(task)
            self._dispatch()

    def _say(self, line: str) -> None:
        notify(f"cluster: {line}")

    def _say_once(self, line: str, about: str = "") -> None:
        if (about or line) not in self._said:
            self._said.add(about or line)
            self._say(line)
