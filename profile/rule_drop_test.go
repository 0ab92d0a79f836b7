package profile

import "testing"

// ruled is a loader of an action with results of two rules.
type ruled struct{ Loader }

func (ruled) RuleResults() ([]RuleResult, error) {
	return []RuleResult{{Identifier: "own"}, {Identifier: "both"}}, nil
}

// TestDropAddedRuleResults: what was added goes, what the report holds stays,
// however often rules were applied.
func TestDropAddedRuleResults(t *testing.T) {
	a := &Action{loader: ruled{}}
	for range 2 {
		a.AddRuleResults([]RuleResult{{Identifier: "both", DisplayName: "new"}, {Identifier: "added"}})
		a.AddRuleResults([]RuleResult{{Identifier: "other"}})
		a.DropAddedRuleResults()
		rs, err := a.RuleResults()
		if err != nil || len(rs) != 2 || rs[0].Identifier != "own" || rs[1].Identifier != "both" || rs[1].DisplayName != "" {
			t.Fatalf("%+v, %v", rs, err)
		}
	}
}
