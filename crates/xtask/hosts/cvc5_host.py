"""Answers terms with cvc5's Python module: one request per line, one marked answer per request.

d TEXT      commands (declarations)
s K TERM    the simplified term
v K TERM    by full checks: of a Bool term and its negation; else the value of c under (= c TERM)
e           end of the batch
"""
import resource
import sys

import cvc5

resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
LANGUAGE = cvc5.InputLanguage.SMT_LIB_2_6
OPTIONS = [
    ("produce-models", "true"),
    ("incremental", "true"),
    ("fp-exp", "true"),
    ("strings-exp", "true"),
    ("arrays-exp", "true"),
    ("sets-exp", "true"),
    ("tlimit-per", "300"),
]


class Host:
    """A solver with the declarations."""

    def __init__(self, declarations):
        self.manager = cvc5.TermManager()
        self.solver = cvc5.Solver(self.manager)
        for key, value in OPTIONS:
            try:
                self.solver.setOption(key, value)
            except Exception:
                pass  # an option that this release does not have
        self.solver.setLogic("HO_ALL")
        self.symbols = cvc5.SymbolManager(self.manager)
        self.parser = cvc5.InputParser(self.solver, self.symbols)
        self.parser.setStringInput(LANGUAGE, declarations, "declarations")
        while True:
            command = self.parser.nextCommand()
            if command.isNull():
                return
            answer = command.invoke(self.solver, self.symbols)
            if answer.startswith("(error"):
                raise RuntimeError(answer)

    def term(self, text):
        self.parser.setStringInput(LANGUAGE, text, "term")
        return self.parser.nextTerm()

    def possible(self, term):
        self.solver.push(1)
        self.solver.assertFormula(term)
        result = self.solver.checkSat()
        self.solver.pop(1)
        return "unsat" if result.isUnsat() else "sat" if result.isSat() else "unknown"

    def solve(self, term):
        if term.getSort().isBoolean():
            # A definite answer needs an unsat.
            return self.possible(term) + "\n" + self.possible(term.notTerm())
        self.solver.push(1)
        constant = self.manager.mkConst(term.getSort(), "answer!")
        self.solver.assertFormula(self.manager.mkTerm(cvc5.Kind.EQUAL, constant, term))
        result = self.solver.checkSat()
        if result.isSat():
            answer = self.solver.getValue(constant)
        else:
            answer = "(unsat)" if result.isUnsat() else "(unknown)"
        self.solver.pop(1)
        return answer


declarations = ""
host = None
for line in sys.stdin:
    kind, _, rest = line.rstrip("\n").partition(" ")
    if kind == "d":
        declarations = rest
        host = Host(declarations)
        print("@ready", flush=True)
        continue
    if kind == "e":
        print("@end", flush=True)
        continue
    number, _, text = rest.partition(" ")
    print("@" + number, flush=True)
    checking = False
    try:
        term = host.term(text)
        if kind == "s":
            answer = host.solver.simplify(term)
        else:
            checking = True
            answer = host.solve(term)
        print(answer, flush=True)
    except Exception as error:
        print("(error " + repr(str(error)) + ")", flush=True)
        if checking:
            # An error inside of a check leaves the solver in a state in which later checks crash or are wrong.
            host = Host(declarations)
