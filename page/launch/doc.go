// Package launch has the pages about kernel launches: details, raw, summary and
// advice.
package launch
