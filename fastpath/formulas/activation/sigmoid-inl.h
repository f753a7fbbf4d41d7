// The logistic function. See README.md for how a line is read.

PLUMB_UNARY(Sigmoid, kAnalytic, Div(Like(x, 1), Add(Like(x, 1), ExpOf(Neg(x)))))
// Of the output x and its gradient y.
PLUMB_BINARY(SigmoidGrad, kAnalytic | kSameSize, Mul(Mul(y, x), Sub(Like(x, 1), x)))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
