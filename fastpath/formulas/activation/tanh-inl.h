// The hyperbolic tangent. See README.md for how a line is read.

PLUMB_UNARY(Tanh, kAnalytic, TanhOf(x))
// Of the output x and its gradient y.
PLUMB_BINARY(TanhGrad, kAnalytic | kSameSize, Mul(y, Sub(Like(x, 1), Mul(x, x))))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
