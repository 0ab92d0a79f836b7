#!/bin/bash
# Rebuilds python.wasm.zst and lib.zip, the Python that gpuprof carries, from
# Debian's source package, and prints their SHA-256.
#
#   ./build.sh [FOLDER]        works in FOLDER, by default a new one under /tmp
#
# Runs on Debian 12 (bookworm), amd64, and takes some five minutes on two cores.
# It needs
#
#   apt-get install --no-install-recommends clang-16 lld-16 llvm-16 wasi-libc \
#     libclang-rt-16-dev-wasm32 binaryen zstd make xz-utils python3.11 golang
#
# (any Python 3.11 will do: PYTHON names another; any Go from 1.26 on).
# The source package comes from Debian's archive, checked by apt's signatures.
# What is built is the upstream release in it, without Debian's patches.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$(mktemp -d /tmp/gpuprof-python.XXXXXX)}
python=$(command -v "${PYTHON:-python3.11}")
version=3.11
mkdir -p "$work"
cd "$work"

for tool in clang-16 wasm-ld-16 llvm-ar-16 llvm-ranlib-16 wasm-opt zstd make go "$python"; do
	command -v "$tool" >/dev/null || { echo "build.sh: $tool is missing; see the head of this script" >&2; exit 1; }
done
# configure tests the compiler with a program for WASI: say early what it lacks.
echo 'int main(void){return 0;}' >probe.c
clang-16 --target=wasm32-wasi probe.c -o probe.wasm || { echo "build.sh: clang-16 cannot link for WASI" >&2; exit 1; }

# 1. The source, through an apt configuration of our own so that the system's
# stays as it is.
if ! ls python$version*.orig.tar.* >/dev/null 2>&1; then
	mkdir -p apt/lists/partial
	echo "deb-src http://deb.debian.org/debian bookworm main" >apt/sources.list
	apt=(apt-get -q -o "Dir::Etc::SourceList=$work/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o "Dir::State::Lists=$work/apt/lists" -o APT::Sandbox::User= -o "Dir::Cache=$work/apt")
	"${apt[@]}" update
	"${apt[@]}" source --download-only python$version
fi
tarball=$(ls python$version*.orig.tar.* | head -n 1)
sha256sum "$tarball"
rm -rf source build
mkdir source build
tar xf "$tarball" -C source --strip-components=1

# 2. The interpreter. PKG_CONFIG is hidden, or configure takes the libraries of
# the host for those of WASI. The stack lies first in memory: one that overflows
# traps, and its last word is what stops a module (../interruptible).
(
	cd build
	PKG_CONFIG=/bin/false PKG_CONFIG_LIBDIR=/nonexistent CONFIG_SITE=../source/Tools/wasm/config.site-wasm32-wasi \
		CC="clang-16 --target=wasm32-wasi" CPP="clang-16 --target=wasm32-wasi -E" AR=llvm-ar-16 RANLIB=llvm-ranlib-16 \
		LDFLAGS="-Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,--initial-memory=10485760" \
		CFLAGS="-Os -ffile-prefix-map=$work=." \
		../source/configure -C -q --host=wasm32-unknown-wasi --build="$(../source/config.guess)" \
		--with-build-python="$python" --disable-test-modules --with-ensurepip=no
	# The clock numbers of wasi-libc are pointers, which timemodule.c takes for
	# integers; clang calls that an error since version 16.
	SOURCE_DATE_EPOCH=0 make -s -j"$(nproc)" EXTRA_CFLAGS="-Wno-int-conversion -Wno-error=int-conversion" all
	wasm-opt -Os --strip-debug --strip-producers python.wasm -o ../stripped.wasm
)
(cd "$here/../interruptible" && go run . "$work/stripped.wasm" "$work/python.wasm")
zstd -q -f --ultra -22 python.wasm -o python.wasm.zst

# 3. The standard library: what rules and report scripts import, compiled.
rm -rf lib
# The hash seed decides the order of sets in compiled code; the paths of this
# folder stand in the record of the build.
export PYTHONHASHSEED=0
sed -i "s#$work#.#g" build/build/lib.wasi-*/_sysconfigdata_*.py
mkdir -p lib/python$version/lib-dynload
"$python" - source/Lib "$(ls -d build/build/lib.wasi-* | head -n 1)" lib/python$version "$here/modules.txt" <<'PYTHON'
import pathlib, py_compile, sys

lib, built, out, names = map(pathlib.Path, sys.argv[1:])
files = [p.relative_to(lib) for line in names.read_text().split() for p in sorted(lib.glob(line))]
jobs = [(lib / f, f) for f in files] + [(p, pathlib.Path(p.name)) for p in built.glob("_sysconfigdata_*.py")]
for source, name in jobs:
    target = out / name.with_suffix(".pyc")
    target.parent.mkdir(parents=True, exist_ok=True)
    py_compile.compile(str(source), str(target), dfile="lib/" + name.as_posix(), doraise=True,
                       invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
PYTHON
"$python" - lib lib.zip <<'PYTHON'
import pathlib, sys, zipfile

root, out = pathlib.Path(sys.argv[1]), sys.argv[2]
with zipfile.ZipFile(out, "w") as z:  # same bytes for the same content: sorted, without dates
    for p in sorted(root.rglob("*")):
        name = p.relative_to(root.parent).as_posix()
        z.writestr(zipfile.ZipInfo(name + "/" if p.is_dir() else name), b"" if p.is_dir() else p.read_bytes(),
                   zipfile.ZIP_STORED if p.is_dir() else zipfile.ZIP_DEFLATED, 9)
PYTHON
cp source/LICENSE LICENSE

sha256sum python.wasm python.wasm.zst lib.zip
echo "in $work; copy python.wasm.zst, lib.zip and LICENSE to $here, then run 'go run ./python/precompile' in folder rule"
