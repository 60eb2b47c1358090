# Runs SMT-LIB scripts by the Python module of Bitwuzla: bitwuzla_host.py FOLDER [OPTION...] [FILE]
# Without FILE it is a session on standard input. There, a line that is just (reset) makes a fresh solver with the same
# options, and what came before an (echo ...) line is run before the echo is answered.
import sys

folder, rest = sys.argv[1], sys.argv[2:]
sys.path.insert(0, folder)
import bitwuzla  # noqa: E402

options, files, skip = [], [], False
for a in rest:
    if skip:
        skip = False
    elif a == "--lang":
        skip = True
    elif a.startswith("--"):
        options.append(a)
    else:
        files.append(a)


class State:
    def __init__(self):
        opts = bitwuzla.Options()
        try:
            if options:
                opts.set_args(*options)
        except Exception as e:
            sys.stderr.write('(error "invalid option: %s")\n' % e)
            sys.exit(1)
        self.parser = bitwuzla.Parser(bitwuzla.TermManager(), opts)
        self.dead = False

    def run(self, text):
        # After an error the parser is in an unsafe state: the rest up to the next reset is not read.
        if self.dead or not text.strip():
            return
        try:
            self.parser.parse(text, False, False)
            sys.stdout.flush()
        except bitwuzla.BitwuzlaException as e:
            self.dead = True
            print('(error "%s")' % str(e).replace('"', '""'), flush=True)


def session():
    state, chunk = State(), []
    for line in sys.stdin:
        bare = line.strip()
        if bare == "(reset)":
            state.run("".join(chunk))
            state, chunk = State(), []
        elif bare.startswith('(echo "') and bare.endswith('")'):
            state.run("".join(chunk))
            chunk = []
            print(bare[7:-2], flush=True)
        else:
            chunk.append(line)
    state.run("".join(chunk))
    return 0


if files:
    state = State()
    with open(files[0], encoding="utf-8", errors="replace") as f:
        state.run(f.read())
    sys.exit(1 if state.dead else 0)
sys.exit(session())
