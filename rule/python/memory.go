package python

import (
	"encoding/binary"
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is the linear memory of a running module, and the way to stop it: the
// loops of the module look at one word of it.
type memory struct {
	mu       sync.Mutex
	b        []byte
	reserved []byte // address space of the system; nil where the collector's memory is used
	halt     bool
}

// stopWord is the address of the word that ends the module when it is not 0;
// command interruptible has the same.
const stopWord = 16

// stop makes the module trap at its next loop.
func (m *memory) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.halt = true
	m.mark()
}

func (m *memory) mark() {
	if m.halt && len(m.b) >= stopWord+4 {
		binary.LittleEndian.PutUint32(m.b[stopWord:], 1)
	}
}

func (m *memory) stopped() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.halt
}

// Allocate implements experimental.MemoryAllocator. All that the module may ever
// take is set apart as address space, of which the system gives memory as it is
// used: growing needs no copy, which would take the memory twice.
func (m *memory) Allocate(capacity, most uint64) experimental.LinearMemory {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reserved = reserve(most); m.reserved != nil {
		m.b = m.reserved[:0]
		return m
	}
	m.b = make([]byte, 0, capacity)
	return m
}

// Reallocate implements experimental.LinearMemory. Memory may move when it grows,
// so the mark is made anew.
func (m *memory) Reallocate(size uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.reserved != nil && size > uint64(len(m.reserved)):
		return nil
	case size > uint64(cap(m.b)):
		b := make([]byte, size)
		copy(b, m.b)
		m.b = b
	}
	m.b = m.b[:size]
	m.mark()
	return m.b
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.b = nil
	release(m.reserved)
	m.reserved = nil
}
