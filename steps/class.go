package steps

import (
	"strings"
)

// A Kind is what a piece of device work is for.
type Kind uint8

// The kinds of device work.
const (
	Compute       Kind = iota // kernels that are not communication
	Communication             // kernels of collective libraries
	Copy                      // copies and memory sets
	Graph                     // launches of graphs that were traced as a whole
	Kinds
)

// String is the name of a kind as tables have it.
func (k Kind) String() string {
	return [...]string{"compute", "communication", "copies", "graphs", ""}[min(k, Kinds)]
}

// A Class is a finer kind of device work: a row of the overlap matrix.
type Class uint8

// The classes. Files of partials have their numbers: none changes.
const (
	OtherKernel Class = iota
	GEMM
	Attention
	Convolution
	Normalization
	Elementwise
	Reduction
	Optimizer

	OtherCollective
	AllReduce
	AllGather
	ReduceScatter
	AllToAll
	Broadcast
	Reduce
	SendRecv

	OtherCopy
	HostToDevice
	DeviceToHost
	DeviceToDevice
	PeerToPeer
	MemorySet

	WholeGraph
	Classes
)

var classes = [...]struct {
	name string
	kind Kind
}{
	OtherKernel: {"other kernels", Compute}, GEMM: {"matrix multiply", Compute}, Attention: {"attention", Compute},
	Convolution: {"convolution", Compute}, Normalization: {"normalization", Compute}, Elementwise: {"elementwise", Compute},
	Reduction: {"reduction", Compute}, Optimizer: {"optimizer", Compute},
	OtherCollective: {"other communication", Communication}, AllReduce: {"AllReduce", Communication}, AllGather: {"AllGather", Communication},
	ReduceScatter: {"ReduceScatter", Communication}, AllToAll: {"AllToAll", Communication}, Broadcast: {"Broadcast", Communication},
	Reduce: {"Reduce", Communication}, SendRecv: {"SendRecv", Communication},
	OtherCopy: {"other copies", Copy}, HostToDevice: {"HtoD", Copy}, DeviceToHost: {"DtoH", Copy}, DeviceToDevice: {"DtoD", Copy},
	PeerToPeer: {"PtoP", Copy}, MemorySet: {"memset", Copy},
	WholeGraph: {"graphs", Graph}, Classes: {},
}

// String is the name of a class.
func (c Class) String() string { return classes[min(c, Classes)].name }

// Kind is the kind that the class belongs to.
func (c Class) Kind() Kind { return classes[min(c, Classes)].kind }

// Synchronises reports whether all members of a collective of this class end
// together, because each needs something of every other.
func (c Class) Synchronises() bool {
	return c == AllReduce || c == AllGather || c == ReduceScatter || c == AllToAll
}

// communicationKernels are what names of kernels that communicate begin with or
// contain. The libraries: NCCL and RCCL, MSCCL, NVSHMEM, DeepEP (in DeepSeek's own
// traces within another namespace), the custom all-reduce of vLLM and SGLang, and that of
// TensorRT-LLM, alone and with what is fused to it.
var communicationKernels = struct{ prefixes, parts []string }{
	prefixes: []string{"nccl", "rccl", "nvshmem", "mscclKernel", "msccl"},
	parts: []string{"ncclDevKernel", "ncclKernel", "mscclKernel", "cross_device_reduce", "deep_ep::", "::ep::internode::", "::ep::intranode::",
		"allReduceKernel", "allreduce_fusion", "oneShotAllReduce", "twoShotAllReduce", "multimem_all_reduce", "one_shot_all_reduce", "two_shot_all_reduce"},
}

// IsCommunication tells kernels that communicate by their name; more are further
// parts of names that tell it.
func IsCommunication(kernel string, more ...string) bool {
	for _, p := range communicationKernels.prefixes {
		if strings.HasPrefix(kernel, p) {
			return true
		}
	}
	for _, list := range [2][]string{communicationKernels.parts, more} {
		for _, p := range list {
			if p != "" && strings.Contains(kernel, p) {
				return true
			}
		}
	}
	return false
}

// collectives are the calls as the names of kernels and of API calls have them,
// lower case without underscores; longer ones first.
var collectives = []struct {
	part  string
	class Class
}{
	{"reducescatter", ReduceScatter}, {"allreduce", AllReduce}, {"allgather", AllGather}, {"alltoall", AllToAll},
	{"crossdevicereduce", AllReduce}, {"sendrecv", SendRecv}, {"broadcast", Broadcast}, {"bcast", Broadcast},
	{"ncclsend", SendRecv}, {"ncclrecv", SendRecv}, {"reduce", Reduce},
}

// CollectiveClass tells which collective a kernel or an API call of a
// communication library is, by its name.
func CollectiveClass(name string) Class {
	s := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, c := range collectives {
		if strings.Contains(s, c.part) {
			return c.class
		}
	}
	return OtherCollective
}

// computeNames tell classes of compute kernels, the first that fits wins.
var computeNames = []struct {
	class Class
	parts []string
}{
	{Attention, []string{"flash", "fmha", "attention", "attn"}},
	{Optimizer, []string{"adam", "multi_tensor_apply", "lamb", "sgd"}},
	{Convolution, []string{"conv", "wgrad", "dgrad", "winograd"}},
	{GEMM, []string{"gemm", "matmul", "cublas", "cutlass", "nvjet", "gemv", "tensile", "cijk_", "wgmma"}},
	{Normalization, []string{"norm", "softmax"}},
	{Elementwise, []string{"elementwise", "pointwise", "copy", "cast", "fill"}},
	{Reduction, []string{"reduce", "reduction", "sum"}},
}

// kernelClass tells the class of a kernel by its name; more are further parts of
// names of kernels that communicate.
func kernelClass(name string, more ...string) Class {
	if IsCommunication(name, more...) {
		return CollectiveClass(name)
	}
	s := strings.ToLower(name)
	for _, c := range computeNames {
		for _, p := range c.parts {
			if strings.Contains(s, p) {
				return c.class
			}
		}
	}
	return OtherKernel
}

// copyClass is the class of a copyKind of CUPTI.
func copyClass(kind int64) Class {
	switch kind {
	case 1, 3, 11:
		return HostToDevice
	case 2, 4, 12:
		return DeviceToHost
	case 5, 6, 7, 8, 13:
		return DeviceToDevice
	case 10:
		return PeerToPeer
	}
	return OtherCopy
}
