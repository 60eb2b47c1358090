# Runs SMT-LIB scripts by the Python module of cvc5 1.0.9 to 1.1: cvc5_host.py FOLDER [OPTION...] [FILE]
# (session.py follows behind this text.)
import sys

folder, rest = sys.argv[1], sys.argv[2:]
sys.path.insert(0, folder)
import cvc5  # noqa: E402

options = [a for a in rest if a.startswith("-") and not a.startswith("--lang")]
files = [a for a in rest if not a.startswith("-")]


def refuse(text):
    sys.stderr.write('(error "Error in option parsing: %s")\n' % text)
    sys.exit(1)


def option(solver, text):
    name, equals, value = text.lstrip("-").partition("=")
    if not equals:
        value = "true"
        if name.startswith("no-"):
            name, value = name[3:], "false"
    try:
        solver.setOption(name, value)
    except RuntimeError as e:
        refuse("%s: %s" % (text, e))


class State:
    def __init__(self):
        self.solver = cvc5.Solver()
        for text in options:
            option(self.solver, text)
        self.symbols = cvc5.SymbolManager(self.solver)
        self.dead = self.exited = False

    def run(self, text):
        # After a parse error the rest up to the next reset is not read, as the cvc5 program would have ended.
        if self.dead or self.exited or not text.strip():
            return
        try:
            parser = cvc5.InputParser(self.solver, self.symbols)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "stdin")
            while True:
                command = parser.nextCommand()
                if command.isNull():
                    return
                if command.getCommandName() == "exit":
                    self.exited = True
                    return
                out = command.invoke(self.solver, self.symbols)
                if out:
                    sys.stdout.write(out if isinstance(out, str) else out.decode("utf-8", "replace"))
                    sys.stdout.flush()
        except RuntimeError as e:
            self.dead = True
            sys.stdout.write('(error "Parse Error: %s")\n' % str(e).replace('"', '""'))
            sys.stdout.flush()
