// Package policies draws conclusions from what policies came to (rows of
// result.Outcome): a sentence for each that a manager could read, an order, and
// sums over applications. All of them come out of the numbers: nothing here
// knows a policy by its name.
package policies
