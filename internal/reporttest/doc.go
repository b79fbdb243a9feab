// Package reporttest makes inputs of reports for tests: a run that is simple
// enough to reckon by hand, with as many machines, rounds and tasks as asked.
package reporttest
