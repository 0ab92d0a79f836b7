package scrub

import (
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	hexes  = "0123456789abcdef"
	base62 = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits
)

// A planted secret: text is what stands in a profile, secret the part of it that must
// be gone. They are drawn here, so that no scanner takes this file for a leak.
type planted struct{ name, text, secret string }

func plant(r *rand.Rand) (out []planted) {
	draw := func(alphabet string, n int) string {
		for {
			b := make([]byte, n)
			for i := range b {
				b[i] = alphabet[r.IntN(len(alphabet))]
			}
			if s := string(b); alphabet != base62 || mixed(b) {
				return s
			}
		}
	}
	up := strings.ToUpper(lower) + digits
	whole := func(name, secret string) { out = append(out, planted{name, secret, secret}) }
	part := func(name, before, secret, behind string) {
		out = append(out, planted{name, before + secret + behind, secret})
	}
	whole("AWS access key", "AK"+"IA"+draw(up, 16))
	part("AWS secret key", "aws_secret_access_key = ", draw(base62, 40), "")
	whole("GitHub token", "gh"+"p_"+draw(base62, 36))
	whole("GitHub fine token", "github"+"_pat_"+draw(base62, 50))
	whole("GitLab token", "gl"+"pat-"+draw(base62, 20))
	whole("Slack token", "xo"+"xb-"+draw(digits, 12)+"-"+draw(base62, 24))
	part("Slack webhook", "https://hooks.slack.com/services/", "T"+draw(up, 8)+"/B"+draw(up, 8)+"/"+draw(base62, 24), "")
	whole("Stripe key", "sk"+"_live_"+draw(base62, 24))
	whole("Google API key", "AI"+"za"+draw(base62, 35))
	whole("Google OAuth token", "ya"+"29."+draw(base62, 40))
	whole("OpenAI key", "sk"+"-proj-"+draw(base62, 40))
	whole("Anthropic key", "sk"+"-ant-api03-"+draw(base62, 60))
	whole("Hugging Face token", "h"+"f_"+draw(base62, 34))
	whole("NVIDIA key", "nv"+"api-"+draw(base62, 64))
	whole("npm token", "np"+"m_"+draw(base62, 36))
	whole("PyPI token", "py"+"pi-AgE"+draw(base62, 60))
	whole("Docker token", "dckr"+"_pat_"+draw(base62, 27))
	whole("JSON web token", "ey"+"J"+draw(base62, 30)+".ey"+"J"+draw(base62, 50)+"."+draw(base62, 43))
	whole("SSH key", "-----BEGIN OPENSSH PRIVATE "+"KEY-----\n"+draw(base62, 70)+"\n"+draw(base62, 70)+"\n-----END OPENSSH PRIVATE "+"KEY-----")
	whole("age key", "AGE"+"-SECRET-KEY-1"+draw(up, 58))
	part("Azure storage", "AccountName=x;AccountKey=", draw(base62, 86)+"==", ";")
	whole("SendGrid key", "S"+"G."+draw(base62, 22)+"."+draw(base62, 43))
	whole("Telegram token", ":A"+"A"+draw(base62, 33))
	whole("DigitalOcean token", "do"+"p_v1_"+draw(hexes, 64))
	whole("Databricks token", "da"+"pi"+draw(hexes, 32))
	whole("Vault token", "hv"+"s."+draw(base62, 24))
	part("Weights & Biases key", "WANDB_API_KEY=", draw(hexes, 40), "")
	part("address with password", "postgres://train:", draw(base62, 14), "@db.cluster/runs")
	part("bearer", "Authorization: Bearer ", draw(base62, 40), "")
	part("basic", "Authorization: Basic ", draw(base62, 24)+"==", "")
	part("password", "password=", "pa"+draw(base62, 9), "")
	part("password argument", "--password ", "q"+draw(base62, 9), " --epochs 3")
	part("key assigned", "api_key: ", draw(base62, 24), "")
	part("token assigned", "MY_TOKEN=", draw(base62, 28), "")
	part("netrc", "machine api.x.y login bob password ", "z"+draw(base62, 11), "")
	part("client secret", `client_secret="`, draw(base62, 30), `"`)
	whole("no known form", draw(base62, 48))
	return out
}

func TestPlantedInText(t *testing.T) {
	for seed := range uint64(20) {
		for _, p := range plant(rand.New(rand.NewPCG(seed, 1))) {
			for _, around := range [][2]string{{"", ""}, {"step 3 ", " of 9"}, {"x='", "'"}, {"a\x00", "\x00b"}} {
				s := New(Options{})
				text := Text{Place: "events.event.nvtx.text", Bytes: []byte(around[0] + p.text + around[1])}
				s.Learn(text)
				s.Seal()
				if out := string(s.Replace(text)); strings.Contains(out, p.secret) {
					t.Errorf("%s (seed %d): %q is left as %q", p.name, seed, text.Bytes, out)
				}
				for _, f := range s.Findings() {
					if strings.Contains(f.What+f.Place, p.secret) {
						t.Errorf("%s: a finding tells the value", p.name)
					}
				}
			}
		}
	}
}

// harmless are texts of real kinds that look a little like something to take out.
var harmless = []string{
	"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul>>(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
	"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
	"Cijk_Ailk_Bljk_SB_MT64x64x16_MI32x32x2x1_SN_1LDSB0_APM1_ABV0_ACED0_AF0EM1_AF1EM1_AMAS3_ASE_ASGT_ASLT",
	"cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x64_64x3_nn_align8", "libcublas.so.12.4.5.8", "driver version 10.2.89.1", "nvcc 11.8.89",
	"triton_poi_fused_add_native_layer_norm_backward_0d1d2d3de", "GPU-1b9a8e2c-3d47-11ee-be56-0242ac120002", "0000:3b:00.0", "12:30:45", "c10::cuda::CUDAGuard",
	"num_tokens=4096", "max_tokens: 2048", "tokenizer=gpt2", "token_type_ids", "password=None", "key=value", "secret=true", "127.0.0.1", "localhost", "[23.6.3.4] unordered",
	"// 23.6.3.1 construct", "cuD3D10ResourceGetMappedPitch_v2", "memcpy@GLIBC_2.14", "void f<(int)4>::operator()", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "/home/ubuntu/a.out", "/root/x", "https://github.com/pytorch/pytorch", "std::abs::dead::beef", "a@b", "x.__init__",
	"/proc/self/task/12:ab", "nvjet_hsh_128x128_64x9_1x2_h_bz_coopB_NTT", "20-11-22-13-29-49", "ProfilerStep#12", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	"fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext",
}

func TestHarmlessStays(t *testing.T) {
	for _, h := range harmless {
		s := New(Options{})
		text := Text{Place: "StringIds.value", Bytes: []byte(h)}
		s.Learn(text)
		s.Seal()
		if out := string(s.Replace(text)); out != h {
			t.Errorf("%q became %q: %v", h, out, s.Findings())
		}
	}
}

func TestIdentities(t *testing.T) {
	for _, c := range []struct{ place, in, want string }{
		{"x", "/home/alice/src/a.cu(12)", "/home/user1/src/a.cu(12)"},
		{"x", `C:\Users\Alice Smith\x`, `C:\Users\user1 Smith\x`},
		{"x", "/global/homes/a/alice/run", "/global/homes/a/user1/run"},
		{"x", "read 192.168.7.9:29500", "read 192.0.2.1:29500"},
		{"x", "fe80::1ff:fe23:4567:890a is up", "2001:db8::1 is up"},
		{"x", "eth0 3c:52:82:aa:0b:1c", "eth0 00:00:5e:00:53:01"},
		{"x", "from alice.b@lab.edu", "from user@example.com"},
		{"t.hostname", "node17.cluster.lan", "host1"},
		{"t.hostname", "localhost", "localhost"},
		{"t.user_name", "alice", "user1"},
		{"t.command_line", "python train.py --lr 3", "[removed]"},
		{"t.cwd", "/scratch/project7/run", "[removed]"},
		{"t[PASSWORD]", "hunter22", "[secret]"},
		{"t.value", "PATH=/bin\x00HOME=/root\x00LANG=C\x00SHELL=/bin/sh\x00X=1\x00", "[removed]"},
		{"x", "/users/o/user1", "/users/o/user1"},
	} {
		s := New(Options{})
		text := Text{Place: c.place, Bytes: []byte(c.in)}
		s.Learn(text)
		s.Seal()
		if got := string(s.Replace(text)); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.place, c.in, got, c.want)
		}
		again := New(Options{})
		text.Bytes = []byte(c.want)
		again.Learn(text)
		again.Seal()
		if again.Replace(text); len(again.Findings()) > 0 {
			t.Errorf("%s %q: found again: %v", c.place, c.want, again.Findings())
		}
	}
}

// TestNamesEverywhere takes a name that one place gives away out of the others, in
// their length where that has to stay.
func TestNamesEverywhere(t *testing.T) {
	s := New(Options{})
	for _, x := range []Text{{Place: "hostname", Bytes: []byte("gpu17.lab")}, {Place: "x", Bytes: []byte("/home/alice/")}} {
		s.Learn(x)
	}
	s.Seal()
	for _, c := range []struct {
		in, want     string
		fixed, short bool
	}{
		{"run of alice on gpu17", "run of user1 on host1", false, false},
		{"alice_kernel<alicebob>", "alice_kernel<alicebob>", false, false},
		{"\x7fELF alice\x00gpu17.lab\x00", "\x7fELF user1\x00xxxxxxxxx\x00", true, false},
		{"gpu17.lab: alice", "host1: user1", false, true},
	} {
		if got := string(s.Replace(Text{Place: "x", Bytes: []byte(c.in), Fixed: c.fixed, Short: c.short})); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPseudonymsAreStable(t *testing.T) {
	for _, salt := range []string{"", "s"} {
		a, b := pseudonym(salt, "void gemm<float>()"), pseudonym(salt, "void gemm<float>()")
		if a != b || a == pseudonym(salt+"x", "void gemm<float>()") || !clean([]byte(a)) {
			t.Errorf("%q, %q", a, b)
		}
	}
}

func FuzzReplace(f *testing.F) {
	for _, h := range harmless {
		f.Add([]byte(h), "x.y", false)
	}
	f.Add([]byte("/home/alice 10.1.2.200 password=abc12345"), "hostname", true)
	f.Fuzz(func(t *testing.T, b []byte, place string, fixed bool) {
		s := New(Options{Drop: Drop{Sources: true, Names: true}})
		x := Text{Place: place, Bytes: b, Fixed: fixed}
		s.Learn(x)
		s.Seal()
		if out := s.Replace(x); fixed && len(out) != len(b) {
			t.Errorf("%q became %q: another length", b, out)
		}
	})
}
