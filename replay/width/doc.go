// Package width holds the rules by which keys, and the state kept for them,
// belong to workers, and how much of it changes owner when the number of
// workers changes.
//
// Each rule has an owner function and a closed form of the share that moves
// from p to q workers:
//
//	engine      N state partitions, spread evenly, moved as little as possible
//	modulo      hash modulo the number of workers
//	key-groups  G groups, each worker a contiguous range of them
//	consistent  each key asks for the worker that it likes best
//
// For example from 8 to 9 workers: modulo moves 8/9 of the keys, consistent
// 1/9; from 8 to 16 both move 1/2. A test compares every closed form with
// counting keys one by one.
package width
