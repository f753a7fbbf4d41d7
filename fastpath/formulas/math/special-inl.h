// Special functions of one number. See README.md for how a line is read.

PLUMB_UNARY(Lgamma, kFloats | kPlain, LgammaOf(x))
PLUMB_UNARY(Digamma, kFloats | kPlain, DigammaOf(x))
PLUMB_UNARY(Erf, kFloats, ErfOf(x))
PLUMB_UNARY(Erfc, kFloats | kPlain, ErfcOf(x))
PLUMB_UNARY(BesselI0, kFloats, BesselI0Of(x))
PLUMB_UNARY(BesselI1, kFloats, BesselI1Of(x))
PLUMB_UNARY(BesselI0e, kFloats, BesselI0eOf(x))
PLUMB_UNARY(BesselI1e, kFloats, BesselI1eOf(x))
// Of the order x and the argument y.
PLUMB_BINARY(Polygamma, kFloats | kPlain, PolygammaOf(x, y))
PLUMB_BINARY(Zeta, kFloats | kPlain, ZetaOf(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
