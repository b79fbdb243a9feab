package report

import "tracereplay/analysis"

// policySection is what policies would have done; none where none were compared.
func policySection(r *analysis.Report) []section {
	if r.Policies == nil {
		return nil
	}
	return []section{{
		id: "policies", title: "The same run under another policy", plots: []string{"policies", "bypolicy", "saving"},
		lead: "Each policy is a rewrite of the run that happened: copies elsewhere, or something else that they die with. " +
			"Any loss is measured from the run without its recorded losses; these losses again, at their instants. " +
			"Static: the policy also moves work in time, which is not in its figures (replay whatif --makespan simulates it).",
		table: (*analysis.Report).PolicyTables,
	}}
}
