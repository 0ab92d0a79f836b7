package load

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// NvtxState gathers the stacks of the launching thread and the open start/end
// ranges, domain by domain in the order of the report.
func (l *ncuLoader) NvtxState() (*profile.NvtxState, error) {
	s, err := l.result.Nvtx()
	if s == nil {
		return nil, err
	}
	out := &profile.NvtxState{ThreadID: l.result.ThreadID}
	at := map[uint64]int{}
	domain := func(id uint64) *profile.NvtxDomain {
		i, ok := at[id]
		if !ok {
			i = len(out.Domains)
			at[id] = i
			out.Domains = append(out.Domains, profile.NvtxDomain{ID: id, Name: ncuDomainName(s, id)})
		}
		return &out.Domains[i]
	}
	for _, d := range s.Domains {
		domain(d.ID)
	}
	for _, t := range s.Threads {
		if t.TID != l.result.ThreadID {
			continue
		}
		for _, d := range t.Domains {
			for _, r := range d.Stack {
				n := ncuRange(r.Name, r.Attributes)
				n.ThreadID = t.TID
				dom := domain(d.ID)
				dom.PushPop = append(dom.PushPop, n)
			}
		}
	}
	for _, d := range s.StartEndDomains {
		for _, r := range d.Ranges {
			n := ncuRange(r.Name, r.Attributes)
			n.ID, n.ThreadID = r.ID, r.StartTID.Or(0)
			dom := domain(d.ID)
			dom.StartEnd = append(dom.StartEnd, n)
		}
	}
	return out, err
}

func ncuDomainName(s *ncurep.NvtxState, id uint64) string {
	for _, d := range s.Domains {
		if d.ID == id {
			return d.Name
		}
	}
	if id == s.DefaultDomain.Or(0) {
		return profile.DefaultDomain
	}
	return ""
}

func ncuRange(name string, at *ncurep.NvtxAttributes) profile.NvtxRange {
	r := profile.NvtxRange{Name: name}
	if at == nil {
		return r
	}
	r.Category = at.Category
	if c := at.Color; c != nil {
		r.HasColor, r.Color = c.Type == 1, c.Color.Or(0)
	}
	if m := at.Message; m != nil {
		r.MsgKind, r.Message = profile.NvtxMessageKind(m.Type), m.Text.Or("")
	}
	if p := at.Payload; p != nil {
		r.PayKind = profile.NvtxPayloadKind(p.Type)
		switch r.PayKind {
		case profile.NvtxPayloadUint64:
			r.Payload = metric.Uint64(p.Uint64.Or(0))
		case profile.NvtxPayloadInt64:
			r.Signed = p.Int64.Or(0)
			r.Payload = metric.Double(float64(r.Signed))
		case profile.NvtxPayloadDouble:
			r.Payload = metric.Double(p.Double.Or(0))
		case profile.NvtxPayloadUint32:
			r.Payload = metric.Uint32(p.Uint32.Or(0))
		case profile.NvtxPayloadInt32:
			r.Signed = int64(p.Int32.Or(0))
			r.Payload = metric.Double(float64(r.Signed))
		case profile.NvtxPayloadFloat:
			r.Payload = metric.Float(p.Float.Or(0))
		}
	}
	return r
}
