// Angles, their sines and what follows. See README.md for how a line is read.

PLUMB_UNARY(Sin, kAnalytic, SinOf(x))
PLUMB_UNARY(Cos, kAnalytic, CosOf(x))
PLUMB_UNARY(Tan, kAnalytic | kPlain, TanOf(x))
PLUMB_UNARY(Asin, kAnalytic, AsinOf(x))
PLUMB_UNARY(Acos, kAnalytic, AcosOf(x))
PLUMB_UNARY(Atan, kAnalytic, AtanOf(x))
PLUMB_BINARY(Atan2, kFloats, Atan2Of(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
