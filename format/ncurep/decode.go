package ncurep

// Decode decodes a single message from its wire form, such as a [Section] or a
// [BodyItem] that comes from elsewhere than a report; name stands in messages.
// On an error it returns what is sound, and never nil.
func Decode[M any](name string, b []byte) (*M, error) {
	d := newDecoder(name, 0, b)
	m := newMessage[M](d, wireValue{b: b})
	return m, d.problems.err()
}
