"""Answers terms with bitwuzla's Python module; the same requests as for cvc5 (without declarations)."""
import resource
import sys

import bitwuzla

resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def fresh():
    manager = bitwuzla.TermManager()
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(manager, options)
    parser.parse("(set-logic ALL)(check-sat)", parse_file=False)
    return manager, parser


def possible(solver, term):
    solver.push(1)
    try:
        solver.assert_formula(term)
        result = solver.check_sat()
        return {bitwuzla.Result.SAT: "sat", bitwuzla.Result.UNSAT: "unsat"}.get(result, "unknown")
    finally:
        solver.pop(1)


manager, parser = fresh()
print("@ready", flush=True)
for line in sys.stdin:
    kind, _, rest = line.rstrip("\n").partition(" ")
    if kind == "e":
        print("@end", flush=True)
        continue
    number, _, text = rest.partition(" ")
    print("@" + number, flush=True)
    try:
        term = parser.parse_term(text)
        solver = parser.bitwuzla()
        if kind == "s":
            print(solver.get_value(term), flush=True)
        elif term.sort().is_bool():
            negation = manager.mk_term(bitwuzla.Kind.NOT, [term])
            print(possible(solver, term) + "\n" + possible(solver, negation), flush=True)
            solver.check_sat()
        else:
            solver.push(1)
            try:
                constant = manager.mk_const(term.sort(), "answer!")
                equal = manager.mk_term(bitwuzla.Kind.EQUAL, [constant, term])
                solver.assert_formula(equal)
                result = solver.check_sat()
                if result == bitwuzla.Result.UNSAT:
                    print("(unsat)", flush=True)
                elif result == bitwuzla.Result.SAT:
                    print(solver.get_value(constant), flush=True)
                else:
                    print("(unknown)", flush=True)
            finally:
                solver.pop(1)
                solver.check_sat()
    except Exception as error:
        print("(error " + repr(str(error)) + ")", flush=True)
