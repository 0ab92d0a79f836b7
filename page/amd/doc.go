// Package amd has the pages that only traces of AMD's profilers have.
package amd
