// Shares of the gamma distribution of parameter x, below and above y. ../README.md says how a line is read.

PLUMB_BINARY(Igamma, kFloats | kPlain, IgammaOf(x, y))
PLUMB_BINARY(Igammac, kFloats | kPlain, IgammacOf(x, y))
PLUMB_BINARY(IgammaGradA, kFloats | kPlain, IgammaSlopeOf(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
