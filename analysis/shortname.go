package analysis

import "strings"

// shortNames returns a function that leaves out of a host's name the domain
// that it shares with all others: what tells hosts apart is before it.
func shortNames(names []string) func(string) string {
	same := func(s string) string { return s }
	if len(names) < 2 {
		return same
	}
	_, domain, _ := strings.Cut(names[0], ".")
	if domain == "" || strings.Trim(domain, "0123456789.") == "" { // the rest of an address is no domain
		return same
	}
	for _, name := range names {
		if host, rest, _ := strings.Cut(name, "."); rest != domain || host == "" {
			return same
		}
	}
	return func(s string) string { return strings.TrimSuffix(s, "."+domain) }
}
