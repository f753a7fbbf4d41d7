// Functions that are integrals. ../README.md says how a line is read.

PLUMB_UNARY(Dawsn, kFloats, DawsnOf(x))
PLUMB_UNARY(Expint, kFloats, ExpintOf(x))
PLUMB_UNARY(Spence, kFloats, SpenceOf(x))
PLUMB_UNARY(FresnelCos, kFloats, FresnelCosOf(x))
PLUMB_UNARY(FresnelSin, kFloats, FresnelSinOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
