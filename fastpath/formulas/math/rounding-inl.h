// Rounding to whole numbers. See README.md for how a line is read.

PLUMB_UNARY(Floor, kFloats, Floor(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
