package args

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is a kind of unit that can be lost.
type Kind string

// The kinds of units. Any is a name that could be of either.
const (
	Any     Kind = ""
	Worker  Kind = "worker"
	Machine Kind = "machine"
	Service Kind = "service"
)

// ParseKind reads the name of a kind.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case Worker, Machine, Service:
		return k, nil
	}
	return "", fmt.Errorf("%q is no kind of unit: it is worker, machine or service", s)
}

// Unit names a worker, machine or service as the log has it.
type Unit struct {
	Kind Kind
	Name string
}

// ParseUnit reads NAME, worker:ID, machine:NAME or service:NAME.
func ParseUnit(s string) (Unit, error) {
	u := Unit{Any, s}
	if prefix, name, ok := strings.Cut(s, ":"); ok {
		if k, err := ParseKind(prefix); err == nil {
			u = Unit{k, name}
		}
	}
	if u.Name == "" {
		return Unit{}, errors.New("a unit without a name: give a worker's id, a machine's name, or worker:ID, machine:NAME, service:NAME")
	}
	return u, nil
}

// String is the form that ParseUnit reads.
func (u Unit) String() string {
	if u.Kind == Any {
		return u.Name
	}
	return string(u.Kind) + ":" + u.Name
}

// Removal is a unit that is gone at an instant.
type Removal struct {
	Unit Unit
	At   Instant
}

// ParseRemoval reads UNIT@INSTANT. A name may hold an @, an instant does not.
func ParseRemoval(s string) (Removal, error) {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return Removal{}, fmt.Errorf("%q is no removal: give UNIT@INSTANT, for example worker:3@+50m", s)
	}
	u, err := ParseUnit(s[:at])
	if err != nil {
		return Removal{}, err
	}
	when, err := ParseInstant(s[at+1:])
	if err != nil {
		return Removal{}, err
	}
	return Removal{u, when}, nil
}
