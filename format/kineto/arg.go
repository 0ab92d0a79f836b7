package kineto

// An argument is a member of args whose name is known.
type argument uint8

// The arguments. Names changed over the years: see argumentOf.
const (
	argExternalID argument = iota
	argCorrelation
	argDevice
	argStream
	argContext
	argQueued
	argRegisters
	argShared
	argGrid
	argBlock
	argBlocksPerSM
	argWarpsPerSM
	argOccupancy
	argGraphID
	argGraphNode
	argPriority
	argBytes
	argCopyKind
	argFromDevice
	argToDevice
	argIndex
	argPythonID
	argPythonParent
	argPythonModule
	argSequence
	argForwardThread
	argDims
	argTypes
	argStrides
	argInputs
	argCallStack
	argModules
	argRecordID
	argCbid
	argAddress
	argSize
	argDeviceType
	argDeviceID
	argAllocated
	argReserved
	argSyncKind
	argWaitStream
	argWaitEvent
	argWaitRecord
	argEventID
	argCollective
	argDType
	argInElements
	argOutElements
	argGroupSize
	argInSplit
	argOutSplit
	argGroup
	argGroupDescription
	argGroupRanks
	argRank
	argSrcRank
	argDstRank
	argSequenceOfComm
	argCommsID
	argLabel
	argLabels
	argCount
	argUnknown // kept as text
	argDropped // says what others say already
)

// argumentOf tells an argument by its name.
func argumentOf(name []byte) argument {
	switch string(name) {
	case "External id", "external id":
		return argExternalID
	case "correlation":
		return argCorrelation
	case "device":
		return argDevice
	case "stream":
		return argStream
	case "context":
		return argContext
	case "queued":
		return argQueued
	case "registers per thread":
		return argRegisters
	case "shared memory":
		return argShared
	case "grid":
		return argGrid
	case "block":
		return argBlock
	case "blocks per SM":
		return argBlocksPerSM
	case "warps per SM":
		return argWarpsPerSM
	case "est. achieved occupancy %":
		return argOccupancy
	case "graph id":
		return argGraphID
	case "graph node id":
		return argGraphNode
	case "priority":
		return argPriority
	case "bytes":
		return argBytes
	case "kind":
		return argCopyKind
	case "fromDevice":
		return argFromDevice
	case "toDevice":
		return argToDevice
	case "Ev Idx", "Profiler Event Index":
		return argIndex
	case "Python id":
		return argPythonID
	case "Python parent id":
		return argPythonParent
	case "Python module id":
		return argPythonModule
	case "Sequence number":
		return argSequence
	case "Fwd thread id":
		return argForwardThread
	case "Input Dims", "Input dims":
		return argDims
	case "Input type":
		return argTypes
	case "Input Strides":
		return argStrides
	case "Concrete Inputs":
		return argInputs
	case "Call stack":
		return argCallStack
	case "Module Hierarchy":
		return argModules
	case "Record function id":
		return argRecordID
	case "cbid":
		return argCbid
	case "Addr":
		return argAddress
	case "Bytes":
		return argSize
	case "Device Type":
		return argDeviceType
	case "Device Id":
		return argDeviceID
	case "Total Allocated":
		return argAllocated
	case "Total Reserved":
		return argReserved
	case "cuda_sync_kind":
		return argSyncKind
	case "wait_on_stream":
		return argWaitStream
	case "wait_on_cuda_event_id":
		return argWaitEvent
	case "wait_on_cuda_event_record_corr_id":
		return argWaitRecord
	case "event_id":
		return argEventID
	case "Collective name":
		return argCollective
	case "dtype":
		return argDType
	case "In msg nelems":
		return argInElements
	case "Out msg nelems":
		return argOutElements
	case "Group size":
		return argGroupSize
	case "In split size":
		return argInSplit
	case "Out split size":
		return argOutSplit
	case "Process Group Name", "Process Group ID":
		return argGroup
	case "Process Group Description":
		return argGroupDescription
	case "Process Group Ranks":
		return argGroupRanks
	case "Rank":
		return argRank
	case "Src Rank":
		return argSrcRank
	case "Dst Rank":
		return argDstRank
	case "Seq":
		return argSequenceOfComm
	case "Comms Id":
		return argCommsID
	case "name":
		return argLabel
	case "labels":
		return argLabels
	case "memory bandwidth (GB/s)", "Trace name", "Trace iteration", "external ts", "finished", "sort_index":
		return argDropped
	}
	return argUnknown
}

// argumentNames are the names of today.
var argumentNames = [argCount]string{
	argExternalID:       "External id",
	argCorrelation:      "correlation",
	argDevice:           "device",
	argStream:           "stream",
	argContext:          "context",
	argQueued:           "queued",
	argRegisters:        "registers per thread",
	argShared:           "shared memory",
	argGrid:             "grid",
	argBlock:            "block",
	argBlocksPerSM:      "blocks per SM",
	argWarpsPerSM:       "warps per SM",
	argOccupancy:        "est. achieved occupancy %",
	argGraphID:          "graph id",
	argGraphNode:        "graph node id",
	argPriority:         "priority",
	argBytes:            "bytes",
	argCopyKind:         "kind",
	argFromDevice:       "fromDevice",
	argToDevice:         "toDevice",
	argIndex:            "Ev Idx",
	argPythonID:         "Python id",
	argPythonParent:     "Python parent id",
	argPythonModule:     "Python module id",
	argSequence:         "Sequence number",
	argForwardThread:    "Fwd thread id",
	argDims:             "Input Dims",
	argTypes:            "Input type",
	argStrides:          "Input Strides",
	argInputs:           "Concrete Inputs",
	argCallStack:        "Call stack",
	argModules:          "Module Hierarchy",
	argRecordID:         "Record function id",
	argCbid:             "cbid",
	argAddress:          "Addr",
	argSize:             "Bytes",
	argDeviceType:       "Device Type",
	argDeviceID:         "Device Id",
	argAllocated:        "Total Allocated",
	argReserved:         "Total Reserved",
	argSyncKind:         "cuda_sync_kind",
	argWaitStream:       "wait_on_stream",
	argWaitEvent:        "wait_on_cuda_event_id",
	argWaitRecord:       "wait_on_cuda_event_record_corr_id",
	argEventID:          "event_id",
	argCollective:       "Collective name",
	argDType:            "dtype",
	argInElements:       "In msg nelems",
	argOutElements:      "Out msg nelems",
	argGroupSize:        "Group size",
	argInSplit:          "In split size",
	argOutSplit:         "Out split size",
	argGroup:            "Process Group Name",
	argGroupDescription: "Process Group Description",
	argGroupRanks:       "Process Group Ranks",
	argRank:             "Rank",
	argSrcRank:          "Src Rank",
	argDstRank:          "Dst Rank",
	argSequenceOfComm:   "Seq",
	argCommsID:          "Comms Id",
	argLabel:            "name",
	argLabels:           "labels",
}
