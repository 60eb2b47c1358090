# Runs SMT-LIB scripts by the Python module of Bitwuzla: bitwuzla_host.py FOLDER [OPTION...] [FILE]
# (session.py follows behind this text.)
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
    elif a.startswith("-"):
        options.append(a)
    else:
        files.append(a)


def refuse(text):
    sys.stderr.write('(error "invalid option: %s")\n' % text)
    sys.exit(1)


class State:
    def __init__(self):
        opts = bitwuzla.Options()
        try:
            if options:
                opts.set_args(*options)
        except Exception as e:
            refuse(e)
        self.parser = bitwuzla.Parser(bitwuzla.TermManager(), opts)
        self.dead = self.exited = False

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
