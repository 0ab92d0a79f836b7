// Package flame adds up what ran inside what: the stacks of samples and calls,
// and the nesting of NVTX ranges.
//
//	p, err := flame.Read(ctx, tr, flame.NVTX, flame.Filter{})
//	boxes := p.LeftHeavy(flame.View{Pixels: 1200})
//
// A [Profile] is a tree. A node is a function, or a range, under one sequence of
// those around it; its weight is that of the events that have it innermost. From
// it come three pictures, as rows of [Box]:
//
//   - [Profile.LeftHeavy]: equal stacks are one, the heaviest on the left.
//   - [Profile.TimeOrder]: one thread as it ran.
//   - [Profile.Callers] and [Profile.Callees] of one function, each a Profile
//     again: the sandwich. [Profile.Functions] lists the functions to choose from.
//
// What is made is bounded by pixels, not by events: boxes narrower than a pixel
// become one, which tells how many it stands for.
//
// The way through the package: profile.go has the model, source.go makes it of a
// timeline, left.go, time.go and sandwich.go the pictures.
package flame
