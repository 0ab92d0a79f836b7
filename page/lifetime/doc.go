// Package lifetime has the pages about the lifetimes of data in simulated
// memories.
package lifetime
