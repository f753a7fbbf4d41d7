// Which kind of number a number is. See README.md for how a line is read.

PLUMB_UNARY(IsFinite, kFloats | kPlain, IsFiniteOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
