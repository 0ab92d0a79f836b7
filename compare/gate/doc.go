// Package gate judges runs by a policy: it is what gpuprof check asks.
//
// [Judge] takes the runs of both sides and answers with a [Report], a list of
// [Result]s, one for each limit and kernel, the worst first, and an exit status.
// The limits that are relative to the baseline are tested together, a family for
// each kind of runs, so that the whole gate calls something though nothing
// changed in at most alpha of cases. Absolute limits and attributes of launches
// are no tests.
//
// The same report is written in the forms that build servers read: [JUnit],
// [SARIF], [Annotations] of GitHub, and a comment for a pull request
// ([Comment]).
package gate
