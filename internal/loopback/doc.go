// Package loopback guards servers that answer the programs of one user on one
// machine: the viewer, and the protocol of agents over HTTP.
//
// A server there is reached by more than it is meant for: pages of other hosts
// whose name was rebound to 127.0.0.1 send that name as Host, pages that only post
// send their Origin, other users of the machine connect as anybody does. [Listen]
// takes loopback addresses only, and a [Door] refuses all of these, and whoever has
// not the token.
package loopback
