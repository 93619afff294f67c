"""The state of leagues, workers and the site as metrics, in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from arena.site.monitoring.access_log import RequestCounter
from engine import COMPILED
from engine.version import program_version
from leagues.records import SubmissionState
from leagues.storage.handle import StorageReader
from leagues.storage.reliability import ResultCounter

Labels = Mapping[str, str]
Sample = tuple[Labels, float]


class Metrics:
    """What is measured of a database and of the site over it."""

    def __init__(self, reader: StorageReader, requests: RequestCounter) -> None:
        self._reader = reader
        self._requests = requests
        self._results = ResultCounter(reader.database)

    def text(self) -> str:
        """All metrics as they are now."""
        form = "compiled" if COMPILED else "interpreted"
        matches, faults = self._results.count()
        requests = self._requests
        count = sum(requests.requests.values())
        parts = [
            _metric(
                "arena_build_info",
                "gauge",
                "Version of the program, and whether its engine is compiled.",
                [({"version": program_version(), "engine": form}, 1)],
            ),
            _metric("arena_matches_total", "counter", "Matches stored.", [({}, matches)]),
            _metric(
                "arena_faults_total",
                "counter",
                "Faults of bots in stored matches.",
                [({"kind": kind}, number) for kind, number in sorted(faults.items())],
            ),
            *self._workers(),
            *self._leagues(),
            _metric(
                "arena_http_requests_total",
                "counter",
                "Requests answered by this process.",
                [
                    ({"method": method, "status": str(status)}, number)
                    for (method, status), number in sorted(requests.requests.items())
                ],
            ),
            _metric(
                "arena_http_request_duration_seconds",
                "summary",
                "Time to answer a request.",
                [({}, requests.seconds)],
                suffix="_sum",
            ),
            f"arena_http_request_duration_seconds_count {count}\n",
        ]
        return "".join(parts)

    def _workers(self) -> Iterable[str]:
        workers = self._reader.leases.workers()
        yield _metric(
            "arena_workers",
            "gauge",
            "Workers of leagues that are alive.",
            [({}, sum(worker.lease_left > 0 for worker in workers))],
        )
        yield _metric(
            "arena_worker_lease_seconds",
            "gauge",
            "Seconds until the lease of a worker ends; below 0 it was not heard of since.",
            [({"worker": worker.name}, worker.lease_left) for worker in workers],
        )
        yield _metric(
            "arena_worker_claims",
            "gauge",
            "Matches and checks that a worker is at.",
            [({"worker": worker.name}, worker.claims) for worker in workers],
        )

    def _leagues(self) -> Iterable[str]:
        states: list[Sample] = []
        waiting: list[Sample] = []
        for league in self._reader.leagues.all():
            counted = Counter(each.state for each in self._reader.leagues.submissions(league.id))
            waiting.append(({"league": league.name}, counted[SubmissionState.RECEIVED]))
            states += [
                ({"league": league.name, "state": state.value}, counted[state])
                for state in SubmissionState
            ]
        yield _metric(
            "arena_queue_length", "gauge", "Submissions that wait for their check.", waiting
        )
        yield _metric("arena_submissions", "gauge", "Submissions by their state.", states)


def _metric(name: str, kind: str, text: str, samples: Iterable[Sample], suffix: str = "") -> str:
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    lines += [f"{name}{suffix}{_labels(labels)} {value}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{key}="{_escape(value)}"' for key, value in labels.items()) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
