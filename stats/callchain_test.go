package stats

import (
	"strings"
	"testing"
)

// Thread 8 of process 7 calls twice: main calls read, main calls write, which
// calls itself. The third call has no stack.
var chains = made{
	"StringIds": `
id value
1  main
2  read
3  write
4  /lib/libc.so
5  0x10
6  [Max_depth]`,
	"OSRT_API": `
start end globalTid nameId callchainId eventClass
0     10  p7t8      2      1           27
20    60  p7t8      3      2           27
70    80  p7t8      3      0           27`,
	"OSRT_CALLCHAINS": `
id symbol module stackDepth unresolved
1  2      4      0          -
1  1      4      1          -
2  3      4      0          -
2  3      4      1          -
2  5      4      2          1
2  1      4      3          -
2  6      6      4          -`,
}

func TestCallchains(t *testing.T) {
	expect(t, report(t, chains, "callchain_func_sum"), `
Self (%),Total (%),Self Count,Total Count,Self Weight (ns),Total Weight (ns),Function,Module
80.0,80.0,1,1,40,40,write,/lib/libc.so
20.0,20.0,1,1,10,10,read,/lib/libc.so
0.0,100.0,0,2,0,50,main,/lib/libc.so
0.0,80.0,0,1,0,40,0x10 in libc.so,/lib/libc.so
0.0,80.0,0,1,0,40,[Max depth],[Max depth]`)
	expect(t, report(t, chains, "callchain_stack_sum:osrt:rows=1"), `
Share (%),Count,Weight (ns),Depth,Stack
80.0,1,40,5,[Max depth];main;0x10 in libc.so;write;write`)
	for _, spec := range []string{"callchain_func_sum:cuda", "callchain_stack_sum:samples"} {
		if got := report(t, chains, spec); !strings.Contains(got, "skipped: the trace has no call stacks: tables") {
			t.Errorf("%s: %s", spec, got)
		}
	}
	samples := made{
		"StringIds":           chains["StringIds"],
		"COMPOSITE_EVENTS":    "id start globalTid cpuCycles\n1 5 p7t8 300\n2 6 p7t8 100\n3 7 p7t8 7",
		"SAMPLING_CALLCHAINS": "id symbol module stackDepth\n2 2 4 0\n2 1 4 1\n1 1 4 0",
	}
	expect(t, report(t, samples, "callchain_func_sum"), `
Self (%),Total (%),Self Count,Total Count,Self Weight (cycles),Total Weight (cycles),Function,Module
75.0,100.0,1,2,300,400,main,/lib/libc.so
25.0,25.0,1,1,100,100,read,/lib/libc.so`)
}

func TestMPISums(t *testing.T) {
	m := made{
		"StringIds": "id value\n1 MPI_Send\n2 MPI_Allreduce\n3 MPI_Init",
		"MPI_P2P_EVENTS": `
start end globalTid textId tag remoteRank size
0     10  p7t8      1      0   1          1000
20    40  p7t8      1      0   1          3000`,
		"MPI_COLLECTIVES_EVENTS": `
start end globalTid textId rootRank size recvSize
50    60  p7t8      2      -        8    16
70    -   p7t8      2      -        8    -`,
		"MPI_OTHER_EVENTS": "start end globalTid textId\n0 60 p7t8 3",
	}
	expect(t, report(t, m, "mpi_event_sum"), `
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Source,Name
60.0,60,1,60.0,60.0,60,60,0.0,other,MPI Init
30.0,30,2,15.0,15.0,10,20,7.1,p2p,MPI Send
10.0,10,1,10.0,10.0,10,10,0.0,coll,MPI Allreduce`)
	expect(t, report(t, m, "mpi_msg_size_sum"), `
Total Message Volume (B),Instances,Avg (B),Med (B),Min (B),Max (B),StdDev (B),Source,Name
4000,2,2000.0,2000.0,1000,3000,1414.2,p2p,MPI Send
16,2,8.0,8.0,8,8,0.0,coll_send,MPI Allreduce
16,1,16.0,16.0,16,16,0.0,coll_recv,MPI Allreduce`)
	if got := report(t, made{}, "mpi_msg_size_sum"); got != "skipped: the trace has no calls of MPI that tell the size of a message" {
		t.Error(got)
	}
}

func TestNetworkCongestion(t *testing.T) {
	m := made{
		"TARGET_INFO_NETWORK_METRICS": "metricsListId metricsIdx name\n1 0 Send_Wait\n1 1 Bytes_sent",
		"TARGET_INFO_NIC_INFO":        "GUID nicId name\n255 3 mlx5_0",
		"NIC_ID_MAP":                  "nicId globalId\n3 77",
		"NET_NIC_METRIC": `
start   end     globalId metricsListId metricsIdx value
2000000 3000000 77       1             0          20000
3000000 4000000 77       1             0          5
3000000 4000000 77       1             1          90000`,
		"NET_IB_SWITCH_METRIC": "start end globalId metricsListId metricsIdx value\n1000000 2000000 4096 1 0 30000",
	}
	expect(t, report(t, m, "network_congestion"), `
Start (ns),End (ns),Duration (ns),Send Wait Rate,GUID,Name
1000000,2000000,1000000,30000.0,0x1000,
2000000,3000000,1000000,20000.0,0xff,mlx5 0`)
}

func TestNvtxPayloads(t *testing.T) {
	m := made{
		"StringIds": "id value\n1 allreduce\n2 {a:1}",
		"NVTX_EVENTS": `
start end eventType textId text globalTid domainId uint64Value int32Value jsonTextId binaryData
30    40  59        1      -    p7t8      5        -           -          -          0500000000000000090000000000000004000000000000002000000000000000efbeadde
10    20  59        1      -    p7t8      5        4096        -          -          -
15    -   34        -      mark p7t8      0        -           7          -          -
16    -   34        -      mark p7t8      0        -           -          2          -
17    18  59        1      -    p7t8      0        -           -          -          -
50    60  59        1      -    p7t8      5        -           -          -          00`,
		"NVTX_PAYLOAD_SCHEMAS":        "domainId schemaId name payloadSize\n5 9 NCCL_size 4",
		"NVTX_PAYLOAD_SCHEMA_ENTRIES": "domainId schemaId idx type flags name offset\n5 9 0 6 - bytes -",
	}
	expect(t, report(t, m, "nvtx_payload_trace"), `
Start (ns),Duration (ns),Name,Domain,PID,TID,Schema,Payload,Problem
10,10,allreduce,,7,8,,value=4096,
15,,mark,,7,8,,value=7,
16,,mark,,7,8,,{a:1},
30,10,allreduce,,7,8,NCCL size,bytes=3735928559,
50,10,allreduce,,7,8,,,payload: 2 bytes, a header has 32`)
	expect(t, report(t, m, "nvtx_payload_sum"), `
Count,Different,Total,Avg,Med,Min,Max,Member,Name
1,1,3735928559.0,3735928559.0,3735928559.0,3735928559.0,3735928559.0,bytes,allreduce
1,1,4096.0,4096.0,4096.0,4096.0,4096.0,value,allreduce
1,1,7.0,7.0,7.0,7.0,7.0,value,mark`)
	delete(m, "NVTX_EVENTS")
	m["NVTX_EVENTS"] = "start end eventType textId text globalTid domainId\n1 2 59 1 - p7t8 0"
	if got := report(t, m, "nvtx_payload_sum"); !strings.Contains(got, "--include-blobs") {
		t.Error(got)
	}
}

func TestFileAccessSum(t *testing.T) {
	m := made{
		"OSRT_FILE_ACCESS_DESCRIPTORS": "fileAccessId processId openedAt closedAt filePath\n1 7 0 90 /data/a.bin\n2 7 5 95 /tmp/b",
		"OSRT_FILE_ACCESS_EVENTS": `
fileAccessId threadId startedAt endedAt eventType apiCallId bytesProcessed
1            8        0         10      1         1         0
1            8        20        50      3         2         4000000
1            8        60        70      3         2         1000000
2            8        70        80      4         3         500
3            8        90        95      2         4         0`,
	}
	expect(t, report(t, m, "file_access_sum"), `
Time (%),Total Time (ns),Accesses,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Opens,Reads,Read (MB),Writes,Written (MB),File
76.9,50,3,16.7,10.0,10,30,11.5,1,2,5.000,0,0.000,/data/a.bin
15.4,10,1,10.0,10.0,10,10,0.0,0,0,0.000,1,0.001,/tmp/b
7.7,5,1,5.0,5.0,5,5,0.0,0,0,0.000,0,0.000,`)
}
