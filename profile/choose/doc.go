// Package choose picks kernel launches out of a file by the options of ncu: by
// name, by identifier, by NVTX state and by number. Sections and rules are asked
// for by the same patterns of names.
package choose
