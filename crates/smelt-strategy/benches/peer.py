"""Runs YinYang's mutators without solvers and reports processor time, as one line of JSON.

Arguments: opfuzz, typefuzz or yinyang (Semantic Fusion), mutants per seed. Standard input: names of seeds, one per line; for
yinyang a status and the names of two seeds, separated by tabs. A seed that takes more than some seconds is left out: now and
then a mutator builds a term that contains itself and never ends.
"""

import copy
import json
import random
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import yinyang
from yinyang.src.mutators.GenTypeAwareMutation.GenTypeAwareMutation import GenTypeAwareMutation
from yinyang.src.mutators.GenTypeAwareMutation.Util import get_unique_subterms
from yinyang.src.mutators.SemanticFusion.SemanticFusion import SemanticFusion
from yinyang.src.mutators.TypeAwareOpMutation import TypeAwareOpMutation
from yinyang.src.parsing.Parse import parse_file
from yinyang.src.parsing.Typechecker import typecheck

mode, steps = sys.argv[1], int(sys.argv[2])
config = {
    "opfuzz": "operator_mutations.txt",
    "typefuzz": "typefuzz_config.txt",
    "yinyang": "fusion_functions.txt",
}[mode]
folder = Path(yinyang.__file__).parent / "config"
# One replacement per mutant, as in smelt; the tool's own default is two.
args = SimpleNamespace(config=str(folder / config), modulo=1)
random.seed(1)
sys.setrecursionlimit(100000)

SECONDS = 5


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong


signal.signal(signal.SIGPROF, too_long)
seeds, mutants, size, preparing, mutating = [], 0, 0, 0.0, 0.0
for name in sys.stdin.read().splitlines():
    began = time.process_time()
    try:
        if mode == "yinyang":
            args.oracle, first, second = name.split("\t")
            pair = parse_file(first, silent=True)[0], parse_file(second, silent=True)[0]
            if not all(pair):
                continue
        else:
            script, symbols = parse_file(name, silent=True)
            if not script:
                continue
        if mode == "yinyang":
            mutator = SemanticFusion(*pair, args)
        elif mode == "typefuzz":
            typecheck(script, symbols)
            unique = get_unique_subterms(copy.deepcopy(script))
            mutator = GenTypeAwareMutation(script, args, unique)
        else:
            mutator = TypeAwareOpMutation(script, args)
    except Exception:
        continue
    prepared = time.process_time()
    made, written = 0, 0
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        for _ in range(steps):
            mutant, success, skip = mutator.mutate()
            if skip:
                break
            if success:
                made += 1
                written += len(str(mutant))
    except TooLong:
        continue
    except Exception:
        # The tool would end here; what it made before counts.
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if made:
        size += written
        seeds.append(name)
        preparing += prepared - began
        mutating += time.process_time() - prepared
        mutants += made
print(json.dumps({"seeds": seeds, "mutants": mutants, "bytes": size, "preparing": preparing, "mutating": mutating}))
