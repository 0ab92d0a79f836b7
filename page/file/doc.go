// Package file has the pages that every file has, whatever it holds: what it is
// (info), and how and where it was made (session).
package file
