package scrub

import "context"

// Run scrubs a file: it is gone over once to learn and once to write. Out is nil
// where only the findings are wanted.
func Run(ctx context.Context, in *Input, out Target, o Options) (*Scrubber, error) {
	s := New(o)
	err := in.walk(ctx, nil, func(t Text) []byte {
		s.Learn(t)
		return t.Bytes
	})
	if err != nil {
		return nil, err
	}
	s.Seal()
	return s, in.walk(ctx, out, s.Replace)
}
