// Package share has the pages that make a profile fit to hand on: scrub takes out
// what others should not see, filter cuts it down to what matters.
package share
