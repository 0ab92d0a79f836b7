package simlog

import (
	"context"
	"io"
)

// Options steers the readers. The zero Options are good.
type Options struct {
	// Workers is how many goroutines parse; 0 or 1 parses within Next.
	Workers int
}

// LogReader reads the logs of GainSight and the standard output of GPGPU-Sim and
// Accel-Sim. It implements [Source].
type LogReader struct {
	ctx    context.Context
	cancel context.CancelFunc
	feed   feed
	levels *levelNames
	notes  notes
	asm    *assembler
	tally  Tally
	err    error // what Next answers from now on

	table *levelTable // for parsing within Next
	chunk *chunk      // the one Next returned last
	order chan *chunk // parsed or being parsed, in the order of the input
	free  chan *chunk
}

// NewReader reads a log from r, which holds plain text.
func NewReader(ctx context.Context, r io.Reader, opts Options) *LogReader {
	l := &LogReader{feed: feed{r: r}, levels: newLevelNames()}
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.asm = newAssembler(&l.notes)
	if opts.Workers > 1 {
		l.startWorkers(opts.Workers)
	} else {
		l.table = newLevelTable(l.levels)
		l.chunk = newChunk()
	}
	return l
}

// startWorkers sets up one goroutine that reads and n that parse. Every chunk
// goes to both the workers and the ordered queue; Next waits for its parsing.
func (l *LogReader) startWorkers(n int) {
	chunks := 2*n + 2
	work := make(chan *chunk, chunks)
	l.order, l.free = make(chan *chunk, chunks), make(chan *chunk, chunks)
	for range chunks {
		l.free <- newChunk()
	}
	for range n {
		go func() {
			table := newLevelTable(l.levels)
			for c := range work {
				c.parse(table)
				c.done <- struct{}{}
			}
		}()
	}
	go func() {
		defer close(work)
		defer close(l.order)
		for !l.feed.over {
			select {
			case c := <-l.free:
				l.feed.fill(c)
				l.order <- c
				work <- c
			case <-l.ctx.Done():
				return
			}
		}
	}()
}

// Next returns the next run of accesses and events; io.EOF after the last.
func (l *LogReader) Next() (*Batch, error) {
	if l.err != nil {
		return nil, l.err
	}
	c, err := l.nextChunk()
	if err != nil {
		l.err = err
		return nil, err
	}
	l.notes.addN(l.tally.Lines+1, c.long, "a line longer than 256 KiB; it is dropped")
	before := l.tally.Lines + c.long
	l.notes.addN(before+c.malformedLine, c.malformed, "begins like an access but is not understood; it is left out")
	c.batch.FirstLine = before + 1
	l.asm.chunk(c, before)
	n := int64(c.batch.Len())
	l.tally.Bytes += c.read
	l.tally.Lines = before + c.lines
	l.tally.Accesses += n
	l.tally.Malformed += c.malformed
	l.tally.Other += c.lines - n - c.malformed + c.long
	if c.last {
		l.finish(c)
	}
	l.tally.Kernels = int64(l.asm.kernels)
	return &c.batch, nil
}

func (l *LogReader) nextChunk() (*chunk, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	if l.order == nil {
		l.feed.fill(l.chunk)
		l.chunk.parse(l.table)
		return l.chunk, nil
	}
	if l.chunk != nil {
		l.free <- l.chunk
		l.chunk = nil
	}
	select {
	case c, ok := <-l.order:
		if !ok {
			return nil, l.ctx.Err()
		}
		<-c.done
		l.chunk = c
		return c, nil
	case <-l.ctx.Done():
		return nil, l.ctx.Err()
	}
}

// finish closes the last kernel and decides what the following Next answers.
func (l *LogReader) finish(c *chunk) {
	if c.cut {
		l.notes.add(l.tally.Lines, "the input ends without a line end; its last line may be incomplete")
	}
	if c.err != nil {
		l.notes.add(l.tally.Lines, "the input breaks off here: "+c.err.Error())
	}
	l.asm.close(&c.batch)
	l.err = io.EOF
	if c.err != nil {
		l.err = c.err
	}
}

// Levels names the levels of [Info.Level].
func (l *LogReader) Levels() []string { return l.levels.list() }

// Config is what the log's option dump says about the machine.
func (l *LogReader) Config() Config { return l.asm.options.config() }

// Tally counts the lines read so far.
func (l *LogReader) Tally() Tally { return l.tally }

// Notes lists what was odd, in the order of lines.
func (l *LogReader) Notes() []Note { return l.notes.sorted() }

// Close stops the goroutines that still run. It does not close the reader given
// to [NewReader].
func (l *LogReader) Close() error {
	l.cancel()
	return nil
}
