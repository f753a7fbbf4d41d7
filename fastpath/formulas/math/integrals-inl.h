// Functions that are integrals. ../README.md says how a line is read.

PLUMB_UNARY(Dawsn, kFloats | kPlain, DawsnOf(x))
PLUMB_UNARY(Expint, kFloats | kPlain, ExpintOf(x))
PLUMB_UNARY(Spence, kFloats | kPlain, SpenceOf(x))
PLUMB_UNARY(FresnelCos, kFloats | kPlain, FresnelCosOf(x))
PLUMB_UNARY(FresnelSin, kFloats | kPlain, FresnelSinOf(x))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
