# shellcheck shell=bash
# Sourced by the scripts beside it: goes to the root of the repository, defines $VENV_PYTHON, $ROOT, $CALLER (the folder
# that the script was called from), ensure_venv, static_checks and rooted.
CALLER="$PWD"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
ROOT="$PWD"
VENV_PYTHON="$ROOT/.venv/bin/python"
export PIP_DISABLE_PIP_VERSION_CHECK=1

# The first interpreter that runs and that the pinned versions support; PYTHON=... chooses another.
_base_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3.13 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo "The pinned versions need Python 3.11 or newer; none found. Set PYTHON to an interpreter." >&2
    return 1
}

_pip() { "$VENV_PYTHON" -m pip install --quiet --constraint constraints.txt "$@"; }

# The full pin of one package, e.g. `torch==...`.
_pin() { grep -i "^$1==" constraints.txt; }

# ensure_venv core: the package with its plain dependencies; ensure_venv test: also dev, train, general, render.
# A stamp per set holds the hash of what was installed, so that the second call costs nothing.
ensure_venv() {
    local set="$1" wanted extras="" base
    wanted="$(cat pyproject.toml constraints.txt | cksum)"
    [ "$(cat ".venv/.installed-test" 2>/dev/null)" = "$wanted" ] && return
    [ "$set" = core ] && [ "$(cat ".venv/.installed-core" 2>/dev/null)" = "$wanted" ] && return
    if ! "$VENV_PYTHON" -c '' 2>/dev/null; then
        base="$(_base_python)"
        "$base" -m venv .venv
    fi
    echo "Installing intent_gym ($set set) into .venv ..." >&2
    _pip "$(_pin setuptools)"
    if [ "$set" = test ]; then
        _pip "$(_pin torch)" # first and by itself: with a plain pin pip prefers a local build where one is at hand
        extras="[dev,train,general,render]"
    fi
    _pip --no-build-isolation --editable ".$extras"
    printf '%s\n' "$wanted" >".venv/.installed-$set"
}

# rooted ARGUMENT...: fills the array ROOTED with the arguments; those that name a file of the caller's folder (with
# ::name behind it or not) get its full path, since the script runs in the root of the repository.
rooted() {
    local argument
    ROOTED=()
    for argument in "$@"; do
        [[ "$CALLER" == "$ROOT" || "$argument" == [-/]* || ! -e "$CALLER/${argument%%::*}" ]] || argument="$CALLER/$argument"
        ROOTED+=("$argument")
    done
}

# Lint, format and types: the checks that run nothing.
static_checks() {
    "$VENV_PYTHON" -m ruff check
    "$VENV_PYTHON" -m ruff format --check
    "$VENV_PYTHON" -m mypy
}
