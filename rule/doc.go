// Package rule applies rules to profiled launches: Python files that look at
// metrics and give advice, written against the NvRules interface of Nsight
// Compute.
//
// The way through the package:
//
//  1. [NewHost] prepares a place for rules to run: the Python that gpuprof
//     carries, which nothing escapes from, or the user's own.
//  2. [Host.Load] loads rule files, the ones of this project ([Stock]) and those
//     of folders ([Folder]). What comes out, a [Set], knows the name, section and
//     parents of each rule and which files could not be loaded, with the line.
//  3. [Host.Apply] applies rules to a launch in an order that puts parents before
//     children. Each rule comes back as an [Outcome]: a profile.RuleResult, what
//     it printed, and why it failed if it did. A rule that takes too long, too
//     much memory or prints without end is stopped, and the others go on.
//
// The interpreter stays warm between calls. Package python has the hosts and the
// Python side of the interface, docs/rules.md the contract of a rule file.
package rule
