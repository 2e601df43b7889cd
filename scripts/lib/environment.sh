# The project's own environment, in .venv. Source this, then call `prepare run` or `prepare test`.
# If nothing has changed, it does nothing, so that every script starts fast.

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv="$root/.venv"
done_for="$venv/prepared"
unset PYTHONDONTWRITEBYTECODE # or every process would compile every module again

# prepare SET: install what requirements/SET.txt pins, and the project itself, into .venv.
prepare() {
    is_prepared "$1" && return
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$root/.venv.lock"
        flock 9
    fi
    if ! is_prepared "$1"; then
        build "$1" || { echo "The environment could not be prepared. The lines above say why." >&2; exit 1; }
    fi
    if command -v flock >/dev/null 2>&1; then
        exec 9>&-
    fi
}

is_prepared() {
    [ -x "$venv/bin/python" ] && [ -e "$done_for/root" ] && [ "$(<"$done_for/root")" = "$root" ] &&
        cmp -s "$root/requirements/$1.txt" "$done_for/$1.txt" &&
        cmp -s "$root/pyproject.toml" "$done_for/pyproject.toml" &&
        is_built
}

# The native kernel is rebuilt when one of its sources has changed.
is_built() {
    local source
    for source in "$root/setup.py" "$root"/kernel/*; do
        [ ! "$source" -nt "$done_for/root" ] || return
    done
}

# step TEXT COMMAND...: run a command. If a person is watching, say what happens, and for how long;
# what the command says is shown if it fails.
step() {
    local text="$1" said ticker status=0
    shift
    if [ ! -t 2 ]; then
        "$@"
        return
    fi
    said=$(mktemp)
    printf '  %s ...' "$text" >&2
    tick "$text" &
    ticker=$!
    "$@" >"$said" 2>&1 || status=$?
    kill "$ticker" 2>/dev/null
    wait "$ticker" 2>/dev/null
    echo >&2
    [ "$status" -eq 0 ] || cat "$said" >&2
    rm -f "$said"
    return "$status"
}

# tick TEXT: show a text and how many seconds have passed, for as long as the script runs.
tick() {
    local began=$SECONDS
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        printf '\r  %s ... %d s' "$1" "$((SECONDS - began))" >&2
    done
}

build() {
    echo "Preparing Divisor Duel (only once) ..." >&2
    if [ ! -x "$venv/bin/python" ] || [ ! -e "$done_for/root" ] || [ "$(<"$done_for/root")" != "$root" ]; then
        step "1 of 3: making an environment in .venv" new_venv || return
    fi
    rm -rf "$done_for"
    local packages
    packages=$(grep -c '^[a-z0-9].*==' "$root/requirements/$1.txt")
    step "2 of 3: installing $packages packages, which can take a minute" \
        install --require-hashes -r "$root/requirements/$1.txt" || return
    step "3 of 3: building the native solvers" \
        install --no-deps --no-build-isolation --editable "$root" || return
    mkdir -p "$done_for"
    cp "$root/requirements/$1.txt" "$root/pyproject.toml" "$done_for/"
    # What the tests need includes what the program needs.
    if [ "$1" = test ]; then cp "$root/requirements/run.txt" "$done_for/"; fi
    printf '%s\n' "$root" >"$done_for/root"
}

new_venv() {
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --clear --python '>=3.11' "$venv" >&2
    else
        local python
        python=$(find_python) || return
        "$python" -m venv --clear "$venv" >&2
    fi
}

install() {
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$venv/bin/python" "$@" >&2
    else
        [ -x "$venv/bin/pip" ] || "$venv/bin/python" -m ensurepip >/dev/null || return
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >&2
    fi
}

find_python() {
    local python
    for python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    echo "Divisor Duel needs Python 3.11 or newer, which is not on the PATH. Install it, or set PYTHON." >&2
    return 1
}
