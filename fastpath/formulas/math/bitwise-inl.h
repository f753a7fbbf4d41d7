// Bits of whole numbers. See README.md for how a line is read.

PLUMB_BINARY(BitwiseAnd, kIntegers, BitsAnd(x, y))
PLUMB_BINARY(BitwiseOr, kIntegers, BitsOr(x, y))
PLUMB_BINARY(BitwiseXor, kIntegers, BitsXor(x, y))
PLUMB_BINARY(LeftShift, kIntegers | kPlain, ShiftedLeft(x, y))
PLUMB_BINARY(RightShift, kIntegers | kPlain, ShiftedRight(x, y))
PLUMB_UNARY(Invert, kIntegers, BitsNot(x))
PLUMB_UNARY(PopulationCount, kIntegers, BitsIn(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
