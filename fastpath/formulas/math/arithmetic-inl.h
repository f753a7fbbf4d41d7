// Sums, products, quotients and what is made of them. See README.md for how a line is read.

PLUMB_UNARY(Abs, kSignedNumbers, Abs(x))
PLUMB_UNARY(Neg, kSignedNumbers | kComplex, Neg(x))
PLUMB_UNARY(Sign, kSignedNumbers | kComplex, SignOf(x))
PLUMB_UNARY(Square, kNumbers, Mul(x, x))

PLUMB_BINARY(Add, kNumbers | kStrings, Add(x, y))
PLUMB_BINARY(AddV2, kNumbers, Add(x, y))
PLUMB_BINARY(Sub, kNumbers, Sub(x, y))
PLUMB_BINARY(Mul, kNumbers, Mul(x, y))
PLUMB_BINARY(Div, kAnalytic | kIntegers, QuotientOf(x, y))
PLUMB_BINARY(RealDiv, kAnalytic, Div(x, y))
PLUMB_BINARY(FloorDiv, kFloats | kHalves | kIntegers, FloorOfQuotient(x, y))
PLUMB_BINARY(FloorMod, kReals | kPlain, ModulusOf(x, y))
// N12: NaN from either side goes through; of equal operands the first is taken.
PLUMB_BINARY(Maximum, kReals, IfThenElse(Or(Lt(x, y), IsNaN(y)), y, x))
PLUMB_BINARY(Minimum, kReals, IfThenElse(Or(Lt(y, x), IsNaN(y)), y, x))
PLUMB_BINARY(SquaredDifference, kAnalytic | kWideInts, Mul(ConjOf(Sub(x, y)), Sub(x, y)))

#undef PLUMB_UNARY
#undef PLUMB_BINARY
