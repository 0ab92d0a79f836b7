package rocm

import (
	"encoding/csv"
	"strconv"
	"strings"
)

// columns are the names of columns in every version, without case and
// punctuation, and what they hold.
var columns = map[string]field{
	"dispatchid": fID, "index": fID, "id": fID, "kernelname": fKernel, "name": fName, "function": fName, "domain": fDomain, "kind": fKind, "guid": fGUID,
	"direction": fDirection, "agentid": fAgent, "gpuid": fAgent, "queueid": fQueue, "streamid": fStream, "processid": fPID, "pid": fPID,
	"threadid": fTID, "tid": fTID, "correlationid": fCorrelation, "starttimestamp": fStart, "beginns": fStart, "begintimestamp": fStart, "endtimestamp": fEnd, "endns": fEnd,
	"gridsize": fGrid, "grd": fGrid, "gridsizex": fGrid, "gridsizey": fGridY, "gridsizez": fGridZ,
	"workgroupsize": fGroup, "wgr": fGroup, "workgroupsizex": fGroup, "workgroupsizey": fGroupY, "workgroupsizez": fGroupZ,
	"ldsblocksize": fLDS, "lds": fLDS, "ldsperworkgroup": fLDS, "groupsegmentsize": fLDS,
	"scratchsize": fScratch, "scr": fScratch, "scratchperworkitem": fScratch, "privatesegmentsize": fScratch,
	"vgprcount": fVGPR, "vgpr": fVGPR, "archvgpr": fVGPR, "archvgprcount": fVGPR, "accumvgpr": fAGPR, "accumulativevgpr": fAGPR, "accumvgprcount": fAGPR,
	"sgprcount": fSGPR, "sgpr": fSGPR, "wavesize": fWave, "countername": fCounterName, "metricname": fCounterName, "countervalue": fCounterValue, "metricvalue": fCounterValue,
	"sourceagentid": fFrom, "destinationagentid": fTo, "size": fBytes, "calls": fCalls, "count": fCalls, "totaldurationns": fSum, "sum(ns)": fSum,
	"operation": fOperation, "allocationsize": fAllocated, "address": fAddress, "allocflags": fOther,
	"sampletimestamp": fSample, "execmask": fExec, "instruction": fInstruction, "instructioncomment": fSource, "source": fSource,
	"waveissuedinstruction": fIssued, "instructiontype": fType, "stallreason": fReason, "wavecount": fWaves,
	"codeobj": fCodeObject, "vaddr": fVaddr, "hitcount": fHits, "latency": fLatency, "stall": fStall, "idle": fIdle,
	// known, not kept
	"queueindex": fOther, "fbar": fOther, "sig": fOther, "obj": fOther, "dispatchns": fOther, "completens": fOther,
	"durationns": fOther, "kernelid": fOther, "averagens": fOther, "percentage": fOther, "minns": fOther, "maxns": fOther, "stddev": fOther,
	"mean(ns)": fOther, "median(ns)": fOther, "pct": fOther, "processname": fOther, "hostname": fOther, "kerneltime": fOther, "context": fOther,
	"sectionname": fOther, "metricunit": fOther, "agenttype": fOther, "startts": fOther, "endts": fOther,
}

type field uint8

const (
	fCounter field = iota // any other column of a file with dispatches
	fID
	fKernel
	fName
	fDomain
	fKind
	fGUID
	fDirection
	fAgent
	fQueue
	fStream
	fPID
	fTID
	fCorrelation
	fStart
	fEnd
	fGrid
	fGridY
	fGridZ
	fGroup
	fGroupY
	fGroupZ
	fLDS
	fScratch
	fVGPR
	fAGPR
	fSGPR
	fWave
	fCounterName
	fCounterValue
	fFrom
	fTo
	fBytes
	fCalls
	fSum
	fOperation
	fAllocated
	fAddress
	fSample
	fExec
	fInstruction
	fSource
	fIssued
	fType
	fReason
	fWaves
	fCodeObject
	fVaddr
	fHits
	fLatency
	fStall
	fIdle
	fOther
	numFields
)

// plain removes case and punctuation from the name of a column.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// fieldOf tells what a column holds. Tables merged from several runs repeat what
// is no counter, with a number at the end of the name.
func fieldOf(name string) field {
	f, ok := columns[plain(name)]
	if i := strings.LastIndexAny(name, "_."); !ok && i > 0 {
		if _, err := strconv.ParseUint(name[i+1:], 10, 16); err == nil {
			if _, ok := columns[plain(name[:i])]; ok {
				return fOther
			}
		}
	}
	return f
}

// headerCells splits a line of names.
func headerCells(line string) ([]string, error) {
	in := csv.NewReader(strings.NewReader(line))
	in.LazyQuotes, in.TrimLeadingSpace = true, true
	return in.Read()
}
