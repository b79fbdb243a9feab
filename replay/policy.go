package replay

// Policy is a rewrite of a world: a SQL file that reads the tables world.* and
// makes those of the world that would be under it, in catalog next. Its header
// says what it is and is checked: docs/write-a-policy.md.
type Policy struct {
	Name      string
	Purpose   string // one sentence
	Params    []Param
	Inputs    []string // tables of the world that it reads
	Rewrites  []string // tables of the world that it makes anew
	Costs     []Remark
	NotFor    string
	MovesWork bool // work moves in time: its figures are static until they were simulated
	Unknowns  []Remark
	Caveats   []Remark
	Checked   []Remark   // what it was checked against in real runs
	Apart     [][]Remark // settings that a reader wants to see apart from the whole

	isShipped  bool // it comes with the program: that it keeps the contract is tested, not checked each time
	statements []statement
	header     string // as written
}

// Remark is a text that may hold for one value of a parameter only.
type Remark struct {
	Param, Value string // "" always
	Text         string
}

// Param is a parameter of a policy. The first of a policy is the one that
// NAME=VALUE sets.
type Param struct {
	Name    string
	Type    ParamType
	Default string
	From    string // least value, "" none
	To      string // highest value, "" none
	Choices []string
	Doc     string

	// An assumption is what no log can tell: it has no default but two ends, and
	// the results at both are shown.
	IsAssumption bool
	When         Remark // the assumption is made for one value of a parameter only
}

// ParamType is what values a parameter has.
type ParamType string

// The types. A duration and a size are whole numbers of ms and bytes in SQL; a
// duration may be never, which is null there.
const (
	IntParam      ParamType = "int"
	FloatParam    ParamType = "float"
	DurationParam ParamType = "duration"
	SizeParam     ParamType = "size"
	TextParam     ParamType = "text"
	ChoiceParam   ParamType = "choice"
)

// sqlType is the type of a parameter's column in param.value.
func (t ParamType) sqlType() string {
	switch t {
	case FloatParam:
		return "DOUBLE"
	case TextParam, ChoiceParam:
		return "VARCHAR"
	default:
		return "BIGINT"
	}
}

// Header is the policy's header, as written and without the comment marks.
func (p *Policy) Header() string { return p.header }

// param finds a parameter.
func (p *Policy) param(name string) (Param, bool) {
	for _, x := range p.Params {
		if x.Name == name {
			return x, true
		}
	}
	return Param{}, false
}

// holds tells whether a remark is meant for these settings.
func (r Remark) holds(p *Policy, args Args) bool {
	return r.Param == "" || args.text(p, r.Param) == r.Value
}

// remarks are the texts that hold for these settings.
func remarks(p *Policy, all []Remark, args Args) []string {
	var out []string
	for _, r := range all {
		if r.holds(p, args) {
			out = append(out, r.Text)
		}
	}
	return out
}
