package replay

import "sync"

// shared is what worlds that are asked at the same time have found out about
// tables and about the policies' text.
type shared struct {
	reads   sync.Map // what a query of a policy reads: *reads by its text
	shapes  sync.Map // the columns of a table of a world, which all have alike: tableColumns by its name
	checked sync.Map // tables of policies that had the columns they should: "POLICY.TABLE"
}
