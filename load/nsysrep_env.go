package load

import (
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
)

// envNames are the properties of a machine by their code, as the columns nameEnum
// and name of TARGET_INFO_SYSTEM_ENV pair them in exports: that table of the
// documented export schema is where they were read off. They are names of fields,
// facts of the schema; a code that is not here keeps its number as its name.
var envNames = map[int64]string{
	1:   "CpuCores",
	2:   "CpuSpeedMhz",
	3:   "CpuArchitecture",
	5:   "SupportedABIs",
	7:   "Supported64BitABIs",
	11:  "CNTFRQMHz",
	13:  "CpuDescription",
	14:  "CpuInfo",
	101: "CpuEmcSpeedMhz",
	153: "SupportsXmcClients",
	170: "TargetInstallDir",
	173: "InjectionFilesStoragePath",
	203: "HasDiscreteGpu",
	205: "NvDriverVersion",
	506: "IsX86BasedDevice",
	600: "HardwarePlatform",
	601: "SoftwarePlatform",
	605: "OsDescription",
	610: "DeviceEnvironment",
	611: "CudaDriverVersion",
	618: "SoftwareReleaseVersion",
	619: "Hostname",
	701: "IsDevicePropsUpdated",
	702: "IsDeviceCapsUpdated",
	703: "IsPersistentDevice",
	705: "IsRootEnabled",
	721: "SystemUID",
	722: "NamespacePID",
	800: "HasThreadStateEvents",
	801: "HasCpuCycles",
	802: "HasL1CacheDataReadMisses",
	803: "HasL1CacheDataWriteMisses",
	804: "HasL1CacheInstructionMisses",
	805: "HasL2CacheDataReadMisses",
	806: "HasL2CacheDataWriteMisses",
	807: "HasL2CacheInstructionMisses",
	809: "HasNvtxEvents",
	812: "HasCudaEvents",
	813: "HasGraphicsEvents",
	815: "HasOSRuntimeEvents",
	816: "HasCuDNNEvents",
	817: "HasCuBLASEvents",
	819: "HasOpenACCEvents",
	820: "HasNvMediaEvents",
	821: "HasCudaBacktraceEvents",
	822: "HasVideoEvents",
	838: "SupportsDX11",
	839: "SupportsDX12",
	840: "SupportsGpuCtxsw",
	842: "SupportsPmuCounters",
	844: "SupportsCpuFrequency",
	845: "SupportsVulkan",
	846: "SupportsMPI",
	848: "SupportsCpuCtxsw",
	849: "SupportsGpuMetrics",
	850: "HasMutualL2CacheEvents",
	851: "HasBacktraces",
	852: "HasBacktracingAlgorithms",
	854: "SupportsUMPageFaults",
	861: "SupportsSampling",
	862: "SupportsLinuxPerf",
	863: "dptiSupportsHES",
	880: "ModuleVersion",
	882: "KernelVersion",
	890: "DaemonNDAEnabled",
	891: "EventLibSourcesInfo",
	892: "SupportsArchTimer",
	893: "SupportsForceArchTimer",
	894: "SupportedFTraceEvents",
	895: "QnxKernelTraceInfo",
	896: "IsGameRecordingModeOn",
	897: "GpuInfo",
	899: "HasOpenMPEvents",
	900: "SupportsSli",
	901: "SupportsLBR",
	902: "GpuMetricsConfig",
	903: "SupportsOpenSHMEM",
	904: "ExportLevel",
	905: "GpuMetricsSupportedGpus",
	906: "SupportsUCX",
	907: "SupportsIsr",
	908: "SupportsSocMetrics",
	910: "NicInfo",
	911: "OfedDriverVersion",
	912: "LinuxPerfInfo",
	913: "SupportsPythonBacktraceSampling",
	914: "SupportsNicMetrics",
	917: "SupportsVulkanSC",
	918: "SupportsOpenXR",
	919: "LinuxParanoidLevel",
	920: "SupportsSyscallTrace",
	921: "SocInfo",
	923: "ArmCores",
	924: "PluginsInfo",
	925: "SupportsNCCL",
}

const (
	envEnvironment = 610
	envGPUs        = 897
	envNICs        = 910
	envNICMetrics  = 914 // older exports call it otherwise
)

// environment makes the tables of the machine and its network adapters. Old
// exports have messages and lists among the values as their bytes.
func (s *nsysRepSource) environment(device nsysrep.Message, asBytes bool) {
	var env, nics []repRecord
	state, vid := device.Text(1), strconv.FormatInt(device.Int(3), 10)
	for _, list := range device.Subs(2) {
		for _, p := range list.Subs(1) {
			code, value := p.Int(1), p.Text(2)
			if code == envNICs {
				for _, n := range p.Sub(2).Subs(1) {
					nics = append(nics, repRecord{n, map[string]string{"stateName": state}})
				}
			}
			if asBytes {
				// the value is as it is
			} else if code == envEnvironment {
				value = strings.ReplaceAll(value, "\x00", ";")
			} else if m, ok := envJSON[code]; ok {
				value = string(m.appendTo(nil, p.Sub(2), 0))
			}
			name := envNames[code]
			switch {
			case code == envNICMetrics && before(s.writer(), [2]int{2024, 1}):
				name = "SupportsNicMetricsCollection"
			case name == "":
				name = strconv.FormatInt(code, 10)
			}
			env = append(env, repRecord{extra: map[string]string{"globalVid": vid, "devStateName": state, "name": name,
				"nameEnum": strconv.FormatInt(code, 10), "value": value}})
		}
	}
	s.records("TARGET_INFO_SYSTEM_ENV", "", env)
	s.records("TARGET_INFO_NIC_INFO", "GUID:6 nicId:1 name:2t deviceId:3 vendorId:4 linkLayer:5", nics)
}
