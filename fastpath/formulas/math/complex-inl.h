// Complex numbers. See README.md for how a line is read.

PLUMB_UNARY(Conj, kComplex, ConjOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
