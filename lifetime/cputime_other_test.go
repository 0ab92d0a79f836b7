//go:build !unix

package lifetime_test

import "time"

// userTime is not known here.
func userTime() time.Duration { return 0 }
