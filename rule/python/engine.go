package python

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

//go:embed dist/python.wasm.zst
var interpreter []byte

//go:embed dist/lib.zip
var library []byte

// pageSize is that of WebAssembly memory.
const pageSize = 64 << 10

// An Engine runs programs on the Python that this package carries. It may be
// used by several goroutines.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	library  *zip.Reader
	codes    codes
	memory   int64
}

// Limits bound what a program can take from the machine.
type Limits struct {
	Memory int64 // bytes; 0 means DefaultMemory
}

// DefaultMemory is what a program gets where nothing else is said.
const DefaultMemory = 256 << 20

// CacheDir is the folder in which compiled code and the modules for the user's
// own Python are kept: gpuprof in the user's cache folder. It is "" if there is
// none, which means: keep nothing.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gpuprof")
}

// NewEngine compiles the interpreter to machine code, or takes it from cache,
// a folder that it makes; without one ("", or one that cannot be written) each
// engine compiles anew, which takes a second or two.
func NewEngine(ctx context.Context, cache string, l Limits) (*Engine, error) {
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	code, err := unpack()
	if err != nil {
		return nil, fmt.Errorf("the interpreter does not unpack: %w", err)
	}
	lib, err := zip.NewReader(bytes.NewReader(library), int64(len(library)))
	if err != nil {
		return nil, fmt.Errorf("the standard library does not unpack: %w", err)
	}
	own, err := openCodes()
	if err != nil {
		return nil, fmt.Errorf("the compiled modules do not unpack: %w", err)
	}
	if was := debug.SetMemoryLimit(-1); was < math.MaxInt64-l.Memory { // only asks
		debug.SetMemoryLimit(was + l.Memory) // what programs have is no reason to collect more often
	}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(l.Memory / pageSize))
	if cache != "" {
		// A folder that cannot be written costs time, not the result.
		if c, err := wazero.NewCompilationCacheWithDir(filepath.Join(cache, "wasm")); err == nil {
			config = config.WithCompilationCache(c)
		}
	}
	e := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config), library: lib, codes: own, memory: l.Memory}
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err == nil {
		e.compiled, err = compile(ctx, e.runtime, code)
	}
	if err != nil {
		e.Close()
		return nil, fmt.Errorf("the interpreter does not compile: %w", err)
	}
	return e, nil
}

// compiling lets one engine at a time lower the collector's limit.
var compiling sync.Mutex

// compileRoom is what the compiler may take before the collector works harder,
// in bytes: half of what it allocates is garbage at once, and the peak counts
// more than the tenth of a second that collecting it takes.
const compileRoom = 72 << 20

// compile compiles code, or takes the result from the runtime's cache.
func compile(ctx context.Context, r wazero.Runtime, code []byte) (wazero.CompiledModule, error) {
	compiling.Lock()
	defer compiling.Unlock()
	was := debug.SetMemoryLimit(-1)
	if limit := memoryTaken() + compileRoom; limit < was {
		debug.SetMemoryLimit(limit)
		defer debug.SetMemoryLimit(was)
	}
	start := heapMade()
	m, err := r.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)), code)
	if heapMade()-start > compilerWaste {
		// The compiler ran, rather than the cache: what it leaves is more than
		// a program will use, and would stay beside it.
		debug.FreeOSMemory()
	}
	return m, err
}

// memoryTaken is what the process has of the machine's memory, as the
// collector's limit counts it, in bytes.
func memoryTaken() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// compilerWaste tells a compilation, which allocates hundreds of megabytes, from
// loading its result, in bytes.
const compilerWaste = 128 << 20

// heapMade is the number of bytes allocated so far.
func heapMade() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// unpack returns the interpreter's code, and leaves nothing of the decoder.
func unpack() ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(interpreter, nil)
}

// Close frees the compiled code; no program may run any more.
func (e *Engine) Close() error { return e.runtime.Close(context.Background()) }

// Start starts a program.
func (e *Engine) Start(ctx context.Context, p Program) (*Process, error) {
	fsys, err := p.files(e.library, e.codes)
	if err != nil {
		return nil, err
	}
	mounted := wazero.NewFSConfig().WithFSMount(fsys, "/")
	release := func() {}
	if p.Write.Host != "" {
		folder, err := newWritable(p.Write.Host)
		if err != nil {
			return nil, err
		}
		mounted = mounted.(sysfs.FSConfig).WithSysFSMount(folder, p.Write.Path)
		release = func() { folder.root.Close() }
	}
	proc, in, out := newProcess()
	config := wazero.NewModuleConfig().WithName("").
		WithArgs(append([]string{"python", "-S", "-s", "-B", "-c", bootstrap, p.Main}, p.Args...)...).
		WithEnv("PYTHONHOME", "/").
		WithStdin(in).WithStdout(out).WithStderr(out).
		WithSysWalltime().WithSysNanotime().
		WithFSConfig(mounted)
	if p.Dir != "" {
		config = config.WithEnv("GPUPROF_DIR", p.Dir) // WASI has no working folder of its own
	}
	for k, v := range p.Env {
		config = config.WithEnv(k, v)
	}
	m := &memory{}
	proc.kill = m.stop
	go func() {
		err := exitOf(e.run(context.WithoutCancel(ctx), m, config))
		in.Close()
		out.Close()
		release()
		proc.end(err)
	}()
	return proc, nil
}

func (e *Engine) run(ctx context.Context, m *memory, config wazero.ModuleConfig) (err error) {
	// wazero hands over a panic of the host's side of a call as an error; what
	// else panics is a defect that must not take the program along.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the interpreter broke: %v", r)
		}
	}()
	ctx = experimental.WithMemoryAllocator(ctx, m)
	mod, err := e.runtime.InstantiateModule(ctx, e.compiled, config)
	if mod != nil {
		mod.Close(ctx)
	}
	if m.stopped() {
		return ErrStopped
	}
	return err
}

// exitOf turns the error that a module ended with into an exit status.
func exitOf(err error) error {
	var exit *sys.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		if exit.ExitCode() == 0 {
			return nil
		}
		return &ExitError{Status: int(exit.ExitCode())}
	}
	return err
}
