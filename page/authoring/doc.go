// Package authoring has the pages for those who write sections and rules: which
// there are, what is wrong with them, and what they need.
package authoring
