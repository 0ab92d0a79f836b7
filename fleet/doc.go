// Package fleet spreads work over many inputs, and over machines that share a
// folder: the same answers on one machine, in a Slurm allocation or as jobs.
//
// There is one contract:
//
//  1. [Make] cuts inputs into shards: files, or byte ranges of large ones. A
//     [Plan] lies in the folder of the work as plan.json, so that any process that
//     sees the folder can take part.
//  2. A [Job] maps a shard to a part: one file, which appears when it is whole,
//     beside a manifest with its checksum ([Folder.Work]). A shard whose part is
//     there is done: working on it again changes nothing. One that fails is named
//     in the folder and can be done again alone.
//  3. Who asked reads the parts in the order of the shards ([Folder.Parts]). So the
//     answer does not depend on who made which part, and when.
//
// [Folder.Local] works in this process, [Slurm] makes the scripts of a scheduler,
// [Kubernetes] prints the same work as an indexed job. A folder has one coordinator
// ([Folder.Lock]); workers need no lock, for they make different files, and the same
// one only if they make it equal.
//
// The package knows nothing of profiles: page/fleet says what the jobs do.
package fleet
