package sass

import "strings"

// width is the number of 32-bit registers that general register operand i stands
// for.
func (in *Instruction) width(i int, output bool) int {
	if operations[in.Mnemonic].Space == surfaces {
		if i == len(in.Operands)-1 { // the surface
			return 1
		}
		if in.Has("P") && !in.Has("R") { // a texel of four components
			return 4
		}
		return in.dataWidth(output)
	}
	switch op := operations[in.Mnemonic]; op.Class {
	case Float64:
		return 2
	case Tensor:
		return in.tensorWidth(i)
	case Load, Store, Atomic:
		return in.dataWidth(output)
	case Conversion:
		return in.conversionWidth(output)
	}
	switch in.Mnemonic {
	case "DSETP":
		return 2
	case "IMAD":
		if in.Has("WIDE") && (output || in.ordinal(i) == 3) || in.Has("HI") && in.ordinal(i) == 3 {
			return 2
		}
	case "CS2R":
		if !in.Has("32") {
			return 2
		}
	case "RET", "BRX", "JMX", "CALL", "LEPC", "B2R":
		if in.Mnemonic != "B2R" {
			return 2
		}
	case "BMOV":
		if in.Has("64") {
			return 2
		}
	case "MATCH":
		if !output && in.Has("U64") {
			return 2
		}
	case "TEX", "TLD", "TLD4", "TXD":
		return 2
	case "I2I", "MOV":
		return 1
	}
	return 1
}

// coordinates is the number of registers that tell a place of a surface.
func (in *Instruction) coordinates() int {
	switch {
	case in.Has("3D"), in.Has("2D_ARRAY"), in.Has("CUBE"), in.Has("ARRAY_CUBE"):
		return 3
	case in.Has("2D"), in.Has("1D_ARRAY"):
		return 2
	}
	return 1
}

// ordinal is the number of an operand among those that are no predicates.
func (in *Instruction) ordinal(i int) int {
	n := 0
	for k := range in.Operands[:i] {
		if !isPredicate(&in.Operands[k]) {
			n++
		}
	}
	return n
}

// dataWidth is the number of registers of what a memory instruction moves.
func (in *Instruction) dataWidth(output bool) int {
	switch in.Mnemonic {
	case "LDSM", "STSM":
		for _, m := range in.Modifiers {
			switch m {
			case "2":
				return 2
			case "4":
				return 4
			}
		}
		return 1
	}
	for _, m := range in.Modifiers {
		switch m {
		case "64", "U64", "S64", "F64":
			return 2
		case "128":
			return 4
		}
	}
	return 1
}

// conversionWidth tells the two sides of a conversion apart: the first type of the
// modifiers is that of the result, the second that of the source.
func (in *Instruction) conversionWidth(output bool) int {
	var types []string
	for _, m := range in.Modifiers {
		if len(m) > 1 && (strings.HasPrefix(m, "F") || strings.HasPrefix(m, "S") || strings.HasPrefix(m, "U") || strings.HasPrefix(m, "B")) && m[len(m)-1] >= '0' && m[len(m)-1] <= '9' {
			types = append(types, m)
		}
	}
	is64 := func(t string) bool { return strings.HasSuffix(t, "64") }
	wide := false
	switch in.Mnemonic {
	case "F2F":
		if len(types) > 1 {
			wide = output && is64(types[0]) || !output && is64(types[1])
		}
	case "FRND":
		wide = len(types) > 0 && is64(types[0])
	case "F2I": // result integer, source float
		for _, t := range types {
			wide = wide || is64(t) && (t[0] == 'F') != output
		}
	case "I2F":
		for _, t := range types {
			wide = wide || is64(t) && (t[0] == 'F') == output
		}
	}
	if wide {
		return 2
	}
	return 1
}

// tensorWidth is the number of registers of a fragment: each thread of a warp
// holds a 32nd of a matrix, those of a warp group a 128th of the sum.
func (in *Instruction) tensorWidth(i int) int {
	s, ok := in.tensor()
	if !ok {
		return 1
	}
	group := strings.HasSuffix(in.Mnemonic, "GMMA")
	bits := func(t string) int {
		switch {
		case strings.HasSuffix(t, "64"):
			return 64
		case strings.HasSuffix(t, "32"):
			return 32
		case strings.HasSuffix(t, "16"):
			return 16
		case strings.HasSuffix(t, "8") || strings.HasPrefix(t, "E"):
			return 8
		case strings.HasSuffix(t, "4"):
			return 4
		case t == "B1":
			return 1
		}
		return 32
	}
	threads, k := 32, s.K
	if group {
		threads = 128
	}
	in32 := bits(s.Type)
	if s.Type == "TF32" {
		in32 = 32
	}
	registers := func(rows, columns, size int) int { return max(1, rows*columns*size/(32*threads)) }
	half := k
	if s.Sparse {
		half = k / 2
	}
	switch n := in.ordinal(i); {
	case n == 0:
		return registers(s.M, s.N, bits(s.Result))
	case n == 1:
		return registers(s.M, half, in32)
	case n == 2 && !group:
		return registers(k, s.N, in32)
	case n == 3 && !group, n == 2 && group, n == 3 && group:
		return registers(s.M, s.N, bits(s.Result))
	}
	return 1
}

// uniformWidth is the number of registers of a uniform operand.
func (in *Instruction) uniformWidth(output bool) int {
	switch in.Mnemonic {
	case "ULDC":
		if in.Has("64") && output {
			return 2
		}
	case "UIMAD":
		if in.Has("WIDE") && output {
			return 2
		}
	case "BRXU", "JMXU", "ULEPC":
		return 2
	}
	return 1
}
