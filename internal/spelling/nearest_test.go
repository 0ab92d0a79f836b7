package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"cuda_gpu_kern_sum", "cuda_gpu_kern_gb_sum", "osrt_sum", "nvtx_sum", "OSRT_API"}
	for in, want := range map[string]string{
		"cuda_gpu_kernsum": "; did you mean cuda_gpu_kern_sum?",
		"osrt":             "; did you mean osrt_sum, OSRT_API?",
		"nvtx_sun":         "; did you mean nvtx_sum?",
		"quantum":          "",
		"cuda_sum":         "; did you mean cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum?",
		"sum_cuda":         "",
		"":                 "",
		"x":                "",
	} {
		if got := Nearest(in, known); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
