// Rounding to whole numbers. See README.md for how a line is read.

PLUMB_UNARY(Floor, kFloats, Floor(x))
PLUMB_UNARY(Ceil, kFloats, Ceil(x))
PLUMB_UNARY(Rint, kFloats, Round(x))
PLUMB_UNARY(Round, kFloats | kWideInts, Round(x))
PLUMB_BINARY(TruncateDiv, kFloats | kHalves | kIntegers, CutQuotient(x, y))
PLUMB_BINARY(TruncateMod, kFloats | kWideInts | kPlain, CutRemainderOf(x, y))
PLUMB_BINARY(Mod, kFloats | kWideInts | kPlain, RemainderOf(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
