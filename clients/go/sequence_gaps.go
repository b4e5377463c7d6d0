package linkservice

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// SequenceGaps finds missing deliveries of one webhook by their sequence numbers. Use one for each webhook. The zero value
// starts with the first noted number. It is safe for concurrent use, and keeps its state in memory.
type SequenceGaps struct {
	mutex sync.Mutex
	// first and next are 0 before the first noted number.
	first  int64
	next   int64
	ranges []SequenceRange
}

// SequenceRange is an inclusive range of sequence numbers.
type SequenceRange struct{ From, To int64 }

// NewSequenceGaps continues after the last number of an earlier run.
func NewSequenceGaps(after int64) *SequenceGaps {
	return &SequenceGaps{first: after + 1, next: after + 1}
}

// Note records a handled delivery, see NoteNumber. It returns true for tests, which have no number.
func (g *SequenceGaps) Note(header http.Header) bool {
	number, err := strconv.ParseInt(header.Get("webhook-sequence"), 10, 64)
	if err != nil || number < 1 {
		return true
	}
	return g.NoteNumber(number)
}

// NoteNumber records a sequence number. It returns false only for a number that was noted before. Numbers below the first
// one are unknown: it returns true for them.
func (g *SequenceGaps) NoteNumber(number int64) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.next == 0 {
		g.first, g.next = number, number
	}
	if number < g.first {
		return true
	}
	if number < g.next {
		return g.fill(number)
	}
	if number > g.next {
		g.ranges = append(g.ranges, SequenceRange{g.next, number - 1})
	}
	g.next = number + 1
	return true
}

// Missing returns the missing numbers. They are in transit, are waiting for a retry, or have failed.
func (g *SequenceGaps) Missing() []SequenceRange {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return slices.Clone(g.ranges)
}

func (g *SequenceGaps) fill(number int64) bool {
	index := slices.IndexFunc(g.ranges, func(r SequenceRange) bool { return r.From <= number && number <= r.To })
	if index < 0 {
		return false
	}
	found := g.ranges[index]
	remaining := []SequenceRange{}
	if found.From < number {
		remaining = append(remaining, SequenceRange{found.From, number - 1})
	}
	if number < found.To {
		remaining = append(remaining, SequenceRange{number + 1, found.To})
	}
	g.ranges = slices.Replace(g.ranges, index, index+1, remaining...)
	return true
}
