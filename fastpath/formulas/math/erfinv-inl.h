// Inverses of the error function and of the normal distribution. ../README.md says how a line is read.

PLUMB_UNARY(Erfinv, kFloats, ErfinvOf(x))
PLUMB_UNARY(Ndtri, kFloats, NdtriOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
