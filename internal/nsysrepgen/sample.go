package nsysrepgen

// Of the process 70 in [Sample], and its threads 71 and 72.
const (
	SamplePid = 70 << 24
	SampleTid = SamplePid | 71
	mpiTid    = SamplePid | 72
)

// Sample has some events of each kind whose layout is known, and one of a family
// that is not.
func Sample() *Report { return SampleOn(0) }

// SampleOn is [Sample] with a number of the hardware, the highest byte of numbers of
// processes and threads. They are negative from 128 on.
func SampleOn(hardware uint8) *Report {
	on := int64(hardware) << 56
	pid, tid, mpi := SamplePid|on, SampleTid|on, mpiTid|on
	texts := []string{"", "void add(int)", "add", "_Z3addi", "cudaLaunchKernel", "open", "main", "/bin/app", "worker", "step", "MPI_Send", "out.txt", "hello", "cudnnForward", "mmap"}
	gpu := func(start, end, corr int, detail int, in ...any) []byte {
		return Event(1, 107, 1, start, 2, end, 3, corr, 4, 1, 5, 2, 6, 7, 8, pid, detail, Message(in...))
	}
	call := func(class, start, end, corr, name int, more ...any) []byte {
		return Event(1, 108, append([]any{1, start, 2, end, 3, corr, 6, class, 7, name, 8, 0, 13, tid}, more...)...)
	}
	frame := func(symbol, module int, ip int) []byte { return Message(1, symbol, 2, module, 8, ip) }
	return &Report{
		Version: "2024@5",
		Header: Message(
			1, Message(1, "Initial", 3, 99, 2, Message(Repeated(1,
				Message(1, 1, 2, "16"), Message(1, 610, 2, "A=1\x00B=2"), Message(1, 4242, 2, "new"),
				Message(1, 910, 2, Message(1, Message(1, 3, 2, "mlx5_0", 3, 4123, 4, 5555, 5, 1, 6, 1234))))...)),
			2, Message(1, "gpu7", 3, 1000, 2, Message(1, 123), 12, Message(1, 5, 2, 1), 26, Message(10, "/bin/app", 11, "-v", 11, "x", 30, Message(1, "HOME", 2, "/root"))),
			16, Message(1, Message(1, 7, 2, 1, 5, "-1000"), 1, Message(1, 1, 2, 3, 5, "500"), 1, Message(1, 3, 2, 9, 5, "-1700000000000000000"), 1, Message(1, 9, 2, 10, 5, "-3600000000000")),
			17, 1000, 18, 900_000),
		Frames: [][]byte{
			Frame(
				gpu(1000, 1500, 11, 101, 1, 1, 2, 2, 3, 3, 10, 4, 11, 5, 12, 6, 13, 32, 14, 2, 15, 1, 16, 64, 17, 128, 21, 40),
				gpu(1600, 1700, 12, 102, 1, 4096, 2, 1, 4, 0, 5, 2),
				gpu(1710, 1720, 13, 103, 1, 256, 2, 9, 4, 2),
				gpu(1730, 1740, 14, 105, 1, 3, 2, 4),
				gpu(1750, 1750, 15, 106, 1, 8, 2, 21),
				gpu(1760, 1800, 16, 107, 1, 5, 2, 6),
				call(0, 900, 950, 11, 4), call(27, 100, 300, 21, 5, 20, 0, 42, 77, 15, frame(6, 7, 0x40), 15, frame(2, 7, 0x80)),
				call(28, 400, 450, 22, 13), call(3, 460, 470, 0, 4), call(103, 480, 490, 0, 4),
				call(77, 500, 510, 23, 4, 33, Message(1, 901, 2, 902)), call(94, 520, 530, 24, 4, 37, Message(1, 5)),
			),
			Frame(
				Event(1, 102, 1, 59, 2, 800, 10, 2000, 9, tid, 12, 9, 13, 0),
				Event(1, 102, 1, 34, 2, 850, 9, tid, 7, "mark", 13, 0, 8, Message(3, int64(0x3ff8000000000000))),
				Event(75, 102, 1, 75, 9, mpi, 13, 5, 7, "MPI", 2, 1),
				Event(1, 102, 1, 59, 2, 3000, 10, 3100, 9, mpi, 12, 10, 13, 5),
				Event(1, 104, 1, 120, 3, 2, 6, 1, 11, tid, 5, Message(2, 5000), 4, frame(6, 7, 0x40), 4, frame(2, 7, 0x80), 4, frame(1, 7, 0xc0)),
				Event(1, 106, 1, 130, 3, 1, 4, 1, 6, tid),
				Event(1, 106, 1, 140, 3, 1, 4, 0, 5, 3, 6, tid),
				Event(1, 113, 2, pid, 6, "/bin/app"),
				Event(1, 110, 1, Message(1, 5, 2, 1), 2, 3, 3, 2, 4, "watch out", 5, pid),
				Event(117, 123, 1, 910, 2, 910, 3, 0, 4, 1, 5, pid, 6, 0x7f0000000000, 7, 0, 8, 4096, 9, 2, 10, 0, 12, 11),
				Event(117, 123, 1, 1910, 2, 1910, 3, 0, 4, 1, 5, pid, 6, 0x7f0000000000, 7, 0, 8, 4096, 9, 2, 10, 1, 12, 25),
				Event(200, 119, 1, 1),
			),
		},
		Texts:   texts,
		Streams: [][]byte{Message(1, pid, 2, 11, 3, 12)},
		Threads: Message(1, Message(2, 8, 3, 20, 4, tid)),
		Target: Message(
			1, Message(1, 3, 2, Message(
				7, Message(1, 0, 2, "Made GPU", 3, "0000:01:00.0", 4, 1, 5, "0123456789abcdef", 11, 1<<30, 14, 108),
				1, Message(1, "Made GPU", 3, 1<<30, 9, 108, 24, 0, 25, 70), 9, Message(1, 0, 2, 0, 3, 70, 6, 108))),
			14, Message(1, 7, 2, 1, 3, 3, 4, 70, 5, 0, 6, 1), 15, Message(1, 13, 2, 1, 3, 3, 4, 70, 5, 1, 6, 0, 7, 1)),
		Parts: map[string][]byte{"UI Data": Message(21, "2024.5.1.113")},
	}
}
