"""Answers terms with cvc5's Python module: one request per line, one marked answer per request.

d TEXT      commands (declarations)
s K TERM    the simplified term
v K TERM    its value in a model of nothing, by a full check
e           end of the batch
"""
import resource
import sys

import cvc5

resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
LANGUAGE = cvc5.InputLanguage.SMT_LIB_2_6
manager = cvc5.TermManager()
solver = cvc5.Solver(manager)
for key, value in [
    ("produce-models", "true"),
    ("incremental", "true"),
    ("fp-exp", "true"),
    ("strings-exp", "true"),
    ("arrays-exp", "true"),
    ("sets-exp", "true"),
    ("tlimit-per", "300"),
]:
    try:
        solver.setOption(key, value)
    except Exception:
        pass  # an option that this release does not have
solver.setLogic("HO_ALL")
symbols = cvc5.SymbolManager(manager)
parser = cvc5.InputParser(solver, symbols)


def commands(text):
    parser.setStringInput(LANGUAGE, text, "declarations")
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return
        answer = command.invoke(solver, symbols)
        if answer.startswith("(error"):
            raise RuntimeError(answer)


def simplify(text):
    parser.setStringInput(LANGUAGE, text, "term")
    return solver.simplify(parser.nextTerm())


def possible(term):
    solver.push(1)
    try:
        solver.assertFormula(term)
        result = solver.checkSat()
        return "unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"
    finally:
        solver.pop(1)


def decide(term):
    """Whether the term and its negation can be true: a definite answer needs an unsat."""
    return possible(term) + "\n" + possible(term.notTerm())


def solve(text):
    parser.setStringInput(LANGUAGE, text, "term")
    term = parser.nextTerm()
    if term.getSort().isBoolean():
        return decide(term)
    solver.push(1)
    try:
        constant = manager.mkConst(term.getSort(), "answer!")
        solver.assertFormula(manager.mkTerm(cvc5.Kind.EQUAL, constant, term))
        result = solver.checkSat()
        if result.isUnsat():
            return "(unsat)"
        if not result.isSat():
            return "(unknown)"
        return solver.getValue(constant)
    finally:
        solver.pop(1)


for line in sys.stdin:
    kind, _, rest = line.rstrip("\n").partition(" ")
    if kind == "d":
        commands(rest)
        print("@ready", flush=True)
        continue
    if kind == "e":
        print("@end", flush=True)
        continue
    number, _, text = rest.partition(" ")
    print("@" + number, flush=True)
    try:
        print(simplify(text) if kind == "s" else solve(text), flush=True)
    except Exception as error:
        print("(error " + repr(str(error)) + ")", flush=True)
