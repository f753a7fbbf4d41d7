// Bessel functions. ../README.md says how a line is read.

PLUMB_UNARY(BesselJ0, kFloats | kPlain, BesselJ0Of(x))
PLUMB_UNARY(BesselJ1, kFloats | kPlain, BesselJ1Of(x))
PLUMB_UNARY(BesselY0, kFloats | kPlain, BesselY0Of(x))
PLUMB_UNARY(BesselY1, kFloats | kPlain, BesselY1Of(x))
PLUMB_UNARY(BesselK0, kFloats | kPlain, BesselK0Of(x))
PLUMB_UNARY(BesselK1, kFloats | kPlain, BesselK1Of(x))
PLUMB_UNARY(BesselK0e, kFloats | kPlain, BesselK0eOf(x))
PLUMB_UNARY(BesselK1e, kFloats | kPlain, BesselK1eOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
