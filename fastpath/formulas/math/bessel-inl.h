// Bessel functions. ../README.md says how a line is read.

PLUMB_UNARY(BesselJ0, kFloats, BesselJ0Of(x))
PLUMB_UNARY(BesselJ1, kFloats, BesselJ1Of(x))
PLUMB_UNARY(BesselY0, kFloats, BesselY0Of(x))
PLUMB_UNARY(BesselY1, kFloats, BesselY1Of(x))
PLUMB_UNARY(BesselK0, kFloats, BesselK0Of(x))
PLUMB_UNARY(BesselK1, kFloats, BesselK1Of(x))
PLUMB_UNARY(BesselK0e, kFloats, BesselK0eOf(x))
PLUMB_UNARY(BesselK1e, kFloats, BesselK1eOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
