package stats

import (
	"strings"
	"testing"
)

// Two queues of process 7 that are in use from 0 to 100 together, so that the
// shares are of 100; the packet without end and the end before its begin do not
// count. Overlapping packets of a queue count once in the share.
var wddm = made{
	"WDDM_QUEUE_PACKET_START_EVENTS": `
start globalTid gpu context submitSequence engineType
0     p7t8      0   255     1              1
10    p7t8      0   255     2              1
50    p7t8      0   255     3              1
60    p7t8      0   255     4              1`,
	"WDDM_QUEUE_PACKET_STOP_EVENTS": `
start context submitSequence
20    255     1
30    255     2
60    255     3
5     255     4
90    254     4`,
	"WDDM_DMA_PACKET_START_EVENTS": `
start globalTid gpu context uliSubmissionId engineType
90    p7t8      0   16      9               0
0     p9t9      1   17      1               6`,
	"WDDM_DMA_PACKET_STOP_EVENTS": `
start context uliCompletionId
100   16      9
40    17      1`,
	"TARGET_INFO_WDDM_CONTEXTS": `
context engineType nodeOrdinal friendlyName
16      0          3           Graphics_1
255     1          2           unused`,
}

func TestWDDMQueueSum(t *testing.T) {
	expect(t, report(t, wddm, "wddm_queue_sum"), `
Utilization (%),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name,Q Type,Q Name,PID,GPU ID,Context,Engine,Node Ord
100.0,1,40.0,40.0,40,40,0.0,Copy,1,dma,9,1,0x11,6,0
40.0,3,16.7,20.0,10,20,5.8,3D,0,queue,7,0,0xff,1,2
10.0,1,10.0,10.0,10,10,0.0,Graphics 1,1,dma,7,0,0x10,0,3`)
	if got := report(t, made{}, "wddm_queue_sum"); !strings.Contains(got, "WDDM_QUEUE_PACKET") {
		t.Errorf("without tables: %s", got)
	}
}

func TestDX12MemOps(t *testing.T) {
	m := made{
		"StringIds": `
id value
1  ID3D12Device4::CreateHeap1
2  ID3D12Device::CreateCommittedResource
3  ID3D12Resource::Map
4  ID3D12Resource::Unmap
5  ID3D12Resource::ReadFromSubresource
6  ID3D12Resource::WriteToSubresource
7  ID3D12GraphicsCommandList::Close`,
		"DX12_API": `
id start end  globalTid nameId
1  0     1000 p1t11     1
2  1     1000 p1t11     2
3  2     1000 p1t11     3
4  3     1000 p1t11     3
5  4     1000 p1t11     4
6  5     1000 p1t11     4
7  6     1000 p1t11     5
8  7     1000 p1t11     5
9  8     1000 p1t11     6
10 9     1000 p1t11     6
11 10    1000 p1t11     7`,
		"DX12_MEMORY_OPERATION": `
gpu rangeStart rangeEnd heapType heapFlags cpuPageProperty traceEventId
0   -          -        1        0         -               1
0   -          -        1        4096      -               1
0   -          -        1        1         -               2
0   0          8        2        0         2               3
0   0          0        2        0         2               3
0   0          8        4        0         2               4
0   4          8        3        0         3               5
0   4          8        4        0         3               6
0   -          -        2        0         -               7
0   -          -        4        0         2               8
0   -          -        3        0         -               9
-   -          -        4        0         3               10
0   0          8        2        0         3               11
0   0          8        2        0         3               99`,
	}
	expect(t, report(t, m, "dx12_mem_ops"), `
Duration (ns),Start (ns),TID,Device ID,Warning Type
1000,0,11,0,D3D12_HEAP_CREATED_WITH_ZEROING
999,1,11,0,D3D12_COMMITTED_RESOURCE_CREATED_WITH_ZEROING
998,2,11,0,D3D12_NONEMPTY_MAP_FROM_UPLOAD_HEAP
997,3,11,0,D3D12_NONEMPTY_MAP_TO_WRITE_COMBINE_PAGE
996,4,11,0,D3D12_NONEMPTY_UNMAP_TO_READBACK_HEAP
995,5,11,0,D3D12_NONEMPTY_UNMAP_FROM_WRITE_BACK_PAGE
994,6,11,0,D3D12_READ_FROM_UPLOAD_HEAP_SUBRESOURCE
993,7,11,0,D3D12_READ_FROM_SUBRESOURCE_TO_WRITE_COMBINE_PAGE
992,8,11,0,D3D12_WRITE_TO_READBACK_HEAP_SUBRESOURCE
991,9,11,,D3D12_WRITE_TO_SUBRESOURCE_FROM_WRITE_BACK_PAGE`)
	if got := report(t, m, "dx12_mem_ops:rows=2"); strings.Count(got, "D3D12_") != 2 {
		t.Errorf("two rows: %s", got)
	}
}
