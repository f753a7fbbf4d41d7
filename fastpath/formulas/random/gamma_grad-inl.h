// How samples of the gamma distribution move with its parameter. ../README.md says how a line is read.

PLUMB_BINARY(RandomGammaGrad, kFloats | kPlain, GammaSlopeOf(x, y))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
