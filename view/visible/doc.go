// Package visible makes text of files safe to show to people.
//
// Names and messages come from files, and files come from strangers. A terminal
// obeys what stands in them: ESC begins sequences that move the cursor, retitle
// the window or answer as if the user had typed, and characters that turn the
// direction of text make a line read as what it is not. Here such characters
// become what programmers read as escapes, and lose their power:
//
//	ESC [31m   \x1b[31m     control characters of ASCII, and bytes that are no UTF-8
//	U+009B     \u009b       the second set of control characters
//	U+202E     \u202e       marks, embeddings, overrides and isolates of direction
//	U+E0041    \U000e0041   tags, which nothing shows and programs read
//
// Line feeds and tabs stay, and of a carriage return with a line feed the line
// feed. Nothing else changes: text without such characters is the same text, at
// the cost of one look at each byte.
//
// What is shown cannot be turned back, since a name may hold the escape as it is;
// formats for programs keep the characters by their own rules.
package visible
