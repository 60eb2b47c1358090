

# The way of reading, the same for all hosts. Without FILE it is a session on standard input. There, a line that is just
# (reset) makes a fresh solver with the same options, and what came before an (echo ...) line is run before the echo is
# answered.
def session():
    state, chunk = State(), []
    for line in sys.stdin:
        bare = line.strip()
        if bare == "(reset)":
            # Run first: a fault belongs to the script that causes it.
            state.run("".join(chunk))
            state, chunk = State(), []
        elif bare.startswith('(echo "') and bare.endswith('")'):
            state.run("".join(chunk))
            chunk = []
            print(bare[7:-2], flush=True)
            if state.exited:
                return 0
        else:
            chunk.append(line)
    state.run("".join(chunk))
    return 0


# There is one file, or none in a session: another word is an argument that no solver knows.
if len(files) > 1:
    refuse("unknown argument %s" % files[0])
if files:
    state = State()
    try:
        with open(files[0], encoding="utf-8", errors="replace") as f:
            text = f.read()
    except OSError as e:
        refuse(e)
    state.run(text)
    sys.exit(1 if state.dead else 0)
sys.exit(session())
