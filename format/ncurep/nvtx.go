package ncurep

// NvtxState is the state of the NVTX ranges when the kernel was launched. Tools
// before 2022 write one for every result, mostly without ranges.
type NvtxState struct {
	Domains         []*NvtxDomain
	Threads         []*NvtxThread
	StartEndDomains []*NvtxStartEndDomain
	DefaultDomain   Opt[uint64]
	Unknown         Unknown
}

var nvtxStateTable = newTable(func(m *NvtxState) *Unknown { return &m.Unknown },
	repMessage(1, func(m *NvtxState) *[]*NvtxDomain { return &m.Domains }),
	repMessage(2, func(m *NvtxState) *[]*NvtxThread { return &m.Threads }),
	repMessage(3, func(m *NvtxState) *[]*NvtxStartEndDomain { return &m.StartEndDomains }),
	optInt(4, func(m *NvtxState) *Opt[uint64] { return &m.DefaultDomain }),
)

func (*NvtxState) table() *table[NvtxState] { return nvtxStateTable }

// NvtxDomain names a domain and what is registered in it.
type NvtxDomain struct {
	ID         uint64
	Name       string // "<default domain>"
	Strings    []*NvtxString
	NameTables []*NvtxNameTable
	Unknown    Unknown
}

var nvtxDomainTable = newTable(func(m *NvtxDomain) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxDomain) *uint64 { return &m.ID }),
	reqString(2, func(m *NvtxDomain) *string { return &m.Name }),
	repMessage(3, func(m *NvtxDomain) *[]*NvtxString { return &m.Strings }),
	repMessage(4, func(m *NvtxDomain) *[]*NvtxNameTable { return &m.NameTables }),
)

func (*NvtxDomain) table() *table[NvtxDomain] { return nvtxDomainTable }

// NvtxString is a registered string, or a name given to a handle.
type NvtxString struct {
	ID      uint64
	Value   string
	Unknown Unknown
}

var nvtxStringTable = newTable(func(m *NvtxString) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxString) *uint64 { return &m.ID }),
	reqString(2, func(m *NvtxString) *string { return &m.Value }),
)

func (*NvtxString) table() *table[NvtxString] { return nvtxStringTable }

// NvtxNameTable holds the names given to handles of one family.
type NvtxNameTable struct {
	Family   NvtxNameFamily
	Mappings []*NvtxString
	Unknown  Unknown
}

var nvtxNameTableTable = newTable(func(m *NvtxNameTable) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxNameTable) *NvtxNameFamily { return &m.Family }),
	repMessage(2, func(m *NvtxNameTable) *[]*NvtxString { return &m.Mappings }),
)

func (*NvtxNameTable) table() *table[NvtxNameTable] { return nvtxNameTableTable }

// NvtxThread is the push/pop state of one thread. The thread that launched the
// kernel is the one whose TID is the ThreadID of the result.
type NvtxThread struct {
	TID     uint32
	Domains []*NvtxPushPopDomain
	Unknown Unknown
}

var nvtxThreadTable = newTable(func(m *NvtxThread) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxThread) *uint32 { return &m.TID }),
	repMessage(2, func(m *NvtxThread) *[]*NvtxPushPopDomain { return &m.Domains }),
)

func (*NvtxThread) table() *table[NvtxThread] { return nvtxThreadTable }

// NvtxPushPopDomain is the stack of ranges of a thread in a domain, the
// outermost first.
type NvtxPushPopDomain struct {
	ID      uint64
	Stack   []*NvtxPushPopRange
	Unknown Unknown
}

var nvtxPushPopDomainTable = newTable(func(m *NvtxPushPopDomain) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxPushPopDomain) *uint64 { return &m.ID }),
	repMessage(3, func(m *NvtxPushPopDomain) *[]*NvtxPushPopRange { return &m.Stack }),
)

func (*NvtxPushPopDomain) table() *table[NvtxPushPopDomain] { return nvtxPushPopDomainTable }

// NvtxPushPopRange is a range pushed and not popped yet.
type NvtxPushPopRange struct {
	Name          string
	Attributes    *NvtxAttributes
	LastAPICallID Opt[uint64]
	Unknown       Unknown
}

var nvtxPushPopRangeTable = newTable(func(m *NvtxPushPopRange) *Unknown { return &m.Unknown },
	reqString(1, func(m *NvtxPushPopRange) *string { return &m.Name }),
	optMessage(2, func(m *NvtxPushPopRange) **NvtxAttributes { return &m.Attributes }),
	optInt(3, func(m *NvtxPushPopRange) *Opt[uint64] { return &m.LastAPICallID }),
)

func (*NvtxPushPopRange) table() *table[NvtxPushPopRange] { return nvtxPushPopRangeTable }

// NvtxStartEndDomain holds the open start/end ranges of a domain.
type NvtxStartEndDomain struct {
	ID      uint64
	Ranges  []*NvtxStartEndRange
	Unknown Unknown
}

var nvtxStartEndDomainTable = newTable(func(m *NvtxStartEndDomain) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxStartEndDomain) *uint64 { return &m.ID }),
	repMessage(3, func(m *NvtxStartEndDomain) *[]*NvtxStartEndRange { return &m.Ranges }),
)

func (*NvtxStartEndDomain) table() *table[NvtxStartEndDomain] { return nvtxStartEndDomainTable }

// NvtxStartEndRange is a range started and not ended yet.
type NvtxStartEndRange struct {
	ID            uint64
	Name          string
	Attributes    *NvtxAttributes
	LastAPICallID Opt[uint64]
	StartTID      Opt[uint32]
	Unknown       Unknown
}

var nvtxStartEndRangeTable = newTable(func(m *NvtxStartEndRange) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxStartEndRange) *uint64 { return &m.ID }),
	reqString(2, func(m *NvtxStartEndRange) *string { return &m.Name }),
	optMessage(3, func(m *NvtxStartEndRange) **NvtxAttributes { return &m.Attributes }),
	optInt(4, func(m *NvtxStartEndRange) *Opt[uint64] { return &m.LastAPICallID }),
	optInt(5, func(m *NvtxStartEndRange) *Opt[uint32] { return &m.StartTID }),
)

func (*NvtxStartEndRange) table() *table[NvtxStartEndRange] { return nvtxStartEndRangeTable }

// NvtxAttributes are the event attributes given with a range.
type NvtxAttributes struct {
	Version  uint32
	Category uint32
	Color    *NvtxColor
	Payload  *NvtxPayload
	Message  *NvtxMessage
	Unknown  Unknown
}

var nvtxAttributesTable = newTable(func(m *NvtxAttributes) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxAttributes) *uint32 { return &m.Version }),
	reqInt(2, func(m *NvtxAttributes) *uint32 { return &m.Category }),
	optMessage(3, func(m *NvtxAttributes) **NvtxColor { return &m.Color }),
	optMessage(4, func(m *NvtxAttributes) **NvtxPayload { return &m.Payload }),
	optMessage(5, func(m *NvtxAttributes) **NvtxMessage { return &m.Message }),
)

func (*NvtxAttributes) table() *table[NvtxAttributes] { return nvtxAttributesTable }

// NvtxColor is the color of a range.
type NvtxColor struct {
	Type    ColorType
	Color   Opt[uint32] // ARGB
	Unknown Unknown
}

var nvtxColorTable = newTable(func(m *NvtxColor) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxColor) *ColorType { return &m.Type }),
	optInt(2, func(m *NvtxColor) *Opt[uint32] { return &m.Color }),
)

func (*NvtxColor) table() *table[NvtxColor] { return nvtxColorTable }

// NvtxPayload is the number given with a range; Type tells which field holds
// it.
type NvtxPayload struct {
	Type    NvtxPayloadType
	Uint64  Opt[uint64]
	Int64   Opt[int64]
	Double  Opt[float64]
	Uint32  Opt[uint32]
	Int32   Opt[int32]
	Float   Opt[float32]
	Unknown Unknown
}

var nvtxPayloadTable = newTable(func(m *NvtxPayload) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxPayload) *NvtxPayloadType { return &m.Type }),
	optInt(2, func(m *NvtxPayload) *Opt[uint64] { return &m.Uint64 }),
	optInt(3, func(m *NvtxPayload) *Opt[int64] { return &m.Int64 }),
	optDouble(4, func(m *NvtxPayload) *Opt[float64] { return &m.Double }),
	optInt(5, func(m *NvtxPayload) *Opt[uint32] { return &m.Uint32 }),
	optInt(6, func(m *NvtxPayload) *Opt[int32] { return &m.Int32 }),
	optFloat(7, func(m *NvtxPayload) *Opt[float32] { return &m.Float }),
)

func (*NvtxPayload) table() *table[NvtxPayload] { return nvtxPayloadTable }

// NvtxMessage is the text of a range, or the handle of a registered string.
type NvtxMessage struct {
	Type    NvtxMessageType
	Text    Opt[string]
	Handle  Opt[uint64]
	Unknown Unknown
}

var nvtxMessageTable = newTable(func(m *NvtxMessage) *Unknown { return &m.Unknown },
	reqInt(1, func(m *NvtxMessage) *NvtxMessageType { return &m.Type }),
	optString(2, func(m *NvtxMessage) *Opt[string] { return &m.Text }),
	optInt(3, func(m *NvtxMessage) *Opt[uint64] { return &m.Handle }),
)

func (*NvtxMessage) table() *table[NvtxMessage] { return nvtxMessageTable }

// NvtxPayloadType is the type of a payload.
type NvtxPayloadType int32

// The payload types.
const (
	NvtxPayloadUnknown NvtxPayloadType = iota
	NvtxPayloadUint64
	NvtxPayloadInt64
	NvtxPayloadDouble
	NvtxPayloadUint32
	NvtxPayloadInt32
	NvtxPayloadFloat
)

// NvtxMessageType is the form of a message.
type NvtxMessageType int32

// The message forms.
const (
	NvtxMessageUnknown NvtxMessageType = iota
	NvtxMessageASCII
	NvtxMessageUnicode
	NvtxMessageRegistered
)

// NvtxNameFamily is what a name table gives names to: 1 categories, 2 threads,
// 3 to 6 CUDA devices, contexts, streams and events, 7 to 14 (without 9) OpenCL
// objects, 15 to 17 CUDA runtime devices, streams and events.
type NvtxNameFamily int32

// HasRanges reports whether any range was open.
func (s *NvtxState) HasRanges() bool {
	if s == nil {
		return false
	}
	for _, t := range s.Threads {
		for _, d := range t.Domains {
			if len(d.Stack) > 0 {
				return true
			}
		}
	}
	for _, d := range s.StartEndDomains {
		if len(d.Ranges) > 0 {
			return true
		}
	}
	return false
}
