// Truth values. See README.md for how a line is read.

PLUMB_UNARY(LogicalNot, kBool, Opposite(x))
PLUMB_BINARY(LogicalAnd, kBool, And(x, y))
PLUMB_BINARY(LogicalOr, kBool, Or(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
