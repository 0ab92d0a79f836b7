// Package wiretext goes over the texts of protocol buffers, of which the schema is
// known in part or not at all, and puts others in their stead.
//
// Without a schema a field of bytes is a text, a message or neither. What can only be
// one of them is taken for that. What can be both is edited without a change of
// length, so that the message is sound either way. Every byte that is not edited
// stays what it is, unknown fields included.
package wiretext
