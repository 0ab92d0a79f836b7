package stats

import "testing"

// TestNames: every report and rule of nsys answers to its name and to that of
// older versions.
func TestNames(t *testing.T) {
	for name, old := range map[string]string{
		"cuda_api_sum": "cudaapisum", "cuda_api_trace": "cudaapitrace", "cuda_api_gpu_sum": "apigpusum",
		"cuda_gpu_kern_sum": "gpukernsum", "cuda_gpu_kern_gb_sum": "", "cuda_gpu_mem_time_sum": "gpumemtimesum",
		"cuda_gpu_mem_size_sum": "gpumemsizesum", "cuda_gpu_sum": "gpusum", "cuda_gpu_trace": "gputrace",
		"cuda_kern_exec_sum": "kernexecsum", "cuda_kern_exec_trace": "kernexectrace",
		"nvtx_sum": "nvtxsum", "nvtx_pushpop_sum": "nvtxppsum", "nvtx_startend_sum": "nvtxsesum",
		"nvtx_pushpop_trace": "nvtxpptrace", "nvtx_kern_sum": "nvtxkernsum", "nvtx_gpu_proj_trace": "nvtxgpuproj", "nvtx_gpu_proj_sum": "",
		"osrt_sum": "osrtsum", "openmp_sum": "openmpevtsum", "openacc_sum": "openaccsum", "nvvideo_api_sum": "",
		"vulkan_api_sum": "vulkanapisum", "vulkan_api_trace": "vulkanapitrace", "vulkan_marker_sum": "vulkanmarkerssum",
		"vulkan_gpu_marker_sum": "vulkangpumarkersum", "opengl_khr_range_sum": "openglkhrrangesum",
		"opengl_khr_gpu_range_sum": "openglkhrgpurangesum", "dx11_pix_sum": "pixsum", "dx12_pix_sum": "", "dx12_gpu_marker_sum": "dx12gpumarkersum",
		"mpi_event_trace": "", "um_sum": "umsum", "um_total_sum": "umtotalsum", "um_cpu_page_faults_sum": "umcpupagefaults",
		"network_congestion": "", "wddm_queue_sum": "wddmqueuesdetails",
	} {
		check(t, name, old, false)
	}
	for _, name := range []string{"cuda_memcpy_async", "cuda_memcpy_sync", "cuda_memset_sync", "cuda_api_sync", "gpu_gaps", "gpu_time_util", "dx12_mem_ops"} {
		check(t, name, "", true)
	}
	seen := map[string]bool{}
	for _, r := range Reports() {
		for _, n := range append([]string{r.Name}, r.Old...) {
			if seen[n] {
				t.Errorf("two reports are called %s", n)
			}
			seen[n] = true
		}
	}
}

func check(t *testing.T, name, old string, rule bool) {
	t.Helper()
	r := Lookup(name)
	if r == nil || r.Rule != rule {
		t.Errorf("%s: not there, or in the wrong list", name)
		return
	}
	if old != "" && Lookup(old) != r {
		t.Errorf("%s does not lead to %s", old, name)
	}
}
