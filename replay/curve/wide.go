package curve

import "math/bits"

// wide is a whole number of 128 bits: integrals of costs over the lives of many
// units do not fit 64, and in floating point they would depend on the order.
type wide struct {
	hi int64
	lo uint64
}

func product(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return wide{int64(hi) - (a>>63)&b - (b>>63)&a, lo}
}

func (x wide) plus(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return wide{x.hi + y.hi + int64(carry), lo}
}

func (x wide) minus(y wide) wide {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	return wide{x.hi - y.hi - int64(borrow), lo}
}

func (x wide) less(y wide) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// over divides a number that is not below 0 by one above 0, and leaves the rest
// out.
func (x wide) over(n int64) wide {
	d := uint64(n)
	lo, _ := bits.Div64(uint64(x.hi)%d, x.lo, d)
	return wide{int64(uint64(x.hi) / d), lo}
}

// float is the nearest number, or one beside it, as DuckDB has it of its HUGEINT.
func (x wide) float() float64 {
	if x.hi == -1 {
		return -float64(^x.lo) - 1
	}
	return float64(x.lo) + float64(float64(x.hi)*float64(1<<64-1))
}
