package python

import (
	"context"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/nvtxfilter"
)

func (s *Service) byNvtx(ctx context.Context, q *Request) error {
	var a struct {
		Report, Range      int
		Includes, Excludes []string
	}
	if err := q.Decode(&a); err != nil {
		return err
	}
	if a.Report < 0 || a.Report >= len(s.reports) || a.Range < 0 || a.Range >= len(s.reports[a.Report].Ranges) {
		return &Error{"IndexError", "there is no such range"}
	}
	f := nvtxfilter.Filter{Compat: true} // an expression means here what it means to ncu
	for list, to := range map[*[]string]*[]*nvtxfilter.Expr{&a.Includes: &f.Include, &a.Excludes: &f.Exclude} {
		for _, text := range *list {
			e, err := nvtxfilter.Parse(text)
			if err != nil {
				return &Error{"ValueError", err.Error()}
			}
			*to = append(*to, e)
		}
	}
	out := []int{}
	for i, act := range s.reports[a.Report].Ranges[a.Range].Actions {
		if err := ctx.Err(); err != nil {
			return err
		}
		state, err := act.NvtxState()
		if err != nil {
			return &Error{"RuntimeError", err.Error()}
		}
		if f.Match(filterState(state)) {
			out = append(out, i)
		}
	}
	return q.Answer(out)
}

func filterState(s *profile.NvtxState) nvtxfilter.State {
	var out nvtxfilter.State
	if s == nil {
		return out
	}
	for i := range s.Domains {
		d := &s.Domains[i]
		x := nvtxfilter.Domain{Name: d.Name}
		if x.Name == profile.DefaultDomain {
			x.Name = ""
		}
		for _, r := range d.PushPop {
			x.PushPop = append(x.PushPop, r.Name)
		}
		for _, r := range d.StartEnd {
			x.StartEnd = append(x.StartEnd, r.Name)
		}
		out.Domains = append(out.Domains, x)
	}
	return out
}

type rangeRecord struct {
	Name        string `json:"name"`
	Attributes  bool   `json:"attributes"`
	Category    uint32 `json:"category"`
	Color       uint32 `json:"color"`
	Message     string `json:"message"`
	PayloadType uint8  `json:"payload_type"`
	Payload     any    `json:"payload"`
}

type domainRecord struct {
	ID       uint64        `json:"id"`
	Name     string        `json:"name"`
	PushPop  []rangeRecord `json:"push_pop"`
	StartEnd []rangeRecord `json:"start_end"`
}

func (s *Service) nvtx(_ context.Context, q *Request) error {
	a, err := s.named(q)
	if err != nil {
		return err
	}
	state, err := a.NvtxState()
	if err != nil && state == nil {
		return &Error{"RuntimeError", err.Error()}
	}
	if state == nil {
		return q.Answer(nil)
	}
	domains := []domainRecord{}
	for i := range state.Domains {
		d := &state.Domains[i]
		domains = append(domains, domainRecord{ID: d.ID, Name: d.Name, PushPop: rangeRecords(d.PushPop), StartEnd: rangeRecords(d.StartEnd)})
	}
	return q.Answer(struct {
		Domains []domainRecord `json:"domains"`
	}{domains})
}

func rangeRecords(rs []profile.NvtxRange) []rangeRecord {
	out := []rangeRecord{}
	for i := range rs {
		r := &rs[i]
		x := rangeRecord{Name: r.Name, Category: r.Category, Color: r.Color, Message: r.Message, PayloadType: uint8(r.PayKind)}
		// A range that was pushed by name alone has no attributes; the model does
		// not keep which did, so those that say nothing count as such.
		x.Attributes = r.HasColor || r.Category != 0 || r.MsgKind != profile.NvtxMessageNone || r.PayKind != profile.NvtxPayloadNone
		switch r.PayKind {
		case profile.NvtxPayloadInt64, profile.NvtxPayloadInt32:
			x.Payload = r.Signed
		case profile.NvtxPayloadUint64, profile.NvtxPayloadUint32:
			x.Payload = r.Payload.Uint64()
		case profile.NvtxPayloadDouble, profile.NvtxPayloadFloat:
			x.Payload = jsonFloat(r.Payload.Double())
		}
		out = append(out, x)
	}
	return out
}

// jsonFloat is a number that Python reads as float, NaN and infinities too.
type jsonFloat float64

// MarshalJSON implements json.Marshaler. encoding/json takes no NaN, so a
// number that is none travels as null.
func (f jsonFloat) MarshalJSON() ([]byte, error) {
	if f != f || f > maxFloat || f < -maxFloat {
		return []byte("null"), nil
	}
	return appendFloat(nil, float64(f)), nil
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))
