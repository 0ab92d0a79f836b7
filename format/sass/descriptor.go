package sass

import "github.com/gpuprof/gpuprof/format/sass/table"

// descriptorBit is set in the words that address memory with a uniform register: an
// offset, or a descriptor.
const descriptorBit = 91

// hiddenDescriptor tells the descriptor of an address whose text does not show it.
// The GPUs of compute capability 8 write "[R2.64]" for what Hopper writes as
// "desc[UR4][R2.64]". Its register is where words of the same operation with an
// offset, "[R2.64+UR4]", have theirs.
func (p *plan) hiddenDescriptor(in *Instruction) {
	if in.Word.Bit(descriptorBit) == 0 || p.descriptor == nil {
		return
	}
	shown, hides := false, -1
	for i := range in.Operands {
		o := &in.Operands[i]
		shown = shown || o.Uniform != None || o.Descriptor != None
		if o.Kind == Memory && o.Register != None && addressWidth(in, o) == 2 {
			hides = i
		}
	}
	if !shown && hides >= 0 {
		in.Operands[hides].Descriptor = int(p.descriptor.Value(in.Word))
	}
}

// descriptorField is the field of the uniform register in the last address of an
// operation, nil if it has none.
func descriptorField(op *table.Op) *table.Field {
	address := map[table.Slot]bool{}
	var f *table.Field
	for i := range op.Tokens {
		t := &op.Tokens[i]
		if t.Text == "[" {
			address[t.Slot] = true
		}
		if t.Kind == table.UReg && address[t.Slot] && len(t.Fields) > 0 {
			f = &t.Fields[0]
		}
	}
	return f
}
