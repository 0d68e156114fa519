"""A real Dask cluster on this machine: two worker processes, one of which is killed midway."""

import os
import signal
from pathlib import Path

import pytest
from test_diagnose import SIGNATURES
from test_large import answer, folder

from firstfault import cluster, extraction
from firstfault.errors import FirstfaultError
from firstfault.extraction import Watch
from firstfault.model import Evidence

distributed = pytest.importorskip("distributed")


def reached(evidence: Evidence) -> tuple[int, int, int]:
    return len(evidence.tracebacks), len(evidence.messages), len(evidence.sightings)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_answer_of_one_machine_and_bears_the_loss_of_a_worker(tmp_path: Path) -> None:
    texts = folder(tmp_path)
    one = extraction.extract(texts, SIGNATURES)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        victim = local.workers[0].process.process.pid
        polls = 0

        def stop() -> bool:
            nonlocal polls
            polls += 1
            if polls == 1:
                os.kill(victim, signal.SIGKILL)
            return False

        engine = local.scheduler_address.replace("tcp://", "dask://")
        shared = cluster.extract_on_cluster([tmp_path.as_uri()], engine, SIGNATURES, Watch(stop=stop))
    assert polls > 0
    assert reached(shared) == reached(one)
    assert answer(shared).initiating_ranks == answer(one).initiating_ranks == (4,)
    assert [s.path for s in shared.sources] == [t.path.as_uri() for t in texts if t.path]


@pytest.mark.filterwarnings("ignore")
def test_an_engine_that_does_not_answer_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TIMEOUT", "200ms")
    folder(tmp_path)
    with pytest.raises(FirstfaultError, match="no Dask scheduler answers"):
        cluster.extract_on_cluster([str(tmp_path)], "dask://127.0.0.1:9", SIGNATURES, Watch())
    with pytest.raises(FirstfaultError, match="not an engine"):
        cluster.extract_on_cluster([str(tmp_path)], "spark://x", SIGNATURES, Watch())
