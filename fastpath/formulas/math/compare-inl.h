// Comparisons. See README.md for how a line is read.

PLUMB_BINARY(Equal, kNumbers | kBool | kStrings | kQuantized | kPlain, x == y)
PLUMB_BINARY(NotEqual, kNumbers | kBool | kStrings | kQuantized | kPlain | kTrueOfUnlike, x != y)
PLUMB_BINARY(Less, kReals | kPlain, x < y)
PLUMB_BINARY(LessEqual, kReals | kPlain, x <= y)
PLUMB_BINARY(Greater, kReals | kPlain, x > y)
PLUMB_BINARY(GreaterEqual, kReals | kPlain, x >= y)

#undef PLUMB_UNARY
#undef PLUMB_BINARY
