// Package source has the page that shows what every instruction and source line
// of a launch cost. The engine of the same name gathers the numbers.
package source
