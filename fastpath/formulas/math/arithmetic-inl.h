// One formula per op, compiled once for each instruction set and once for plain values: the functions it calls are
// Highway's for vectors and those of scalar-inl.h for numbers. Included again for each target by foreach_target.h.
#if defined(PLUMB_FORMULAS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_FORMULAS_INL_H
#undef PLUMB_FORMULAS_INL_H
#else
#define PLUMB_FORMULAS_INL_H
#endif

#include "fastpath/cpu/lib/scalar-inl.h"
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::HWY_NAMESPACE {

// The element types a formula is for. Half and bfloat16 are computed as float.
enum TypeSet : int {
  kFloats = 1,      // float32, float64
  kWideInts = 2,    // int32, int64
  kNarrowInts = 4,  // int8, int16
  kUnsigned = 8,    // uint8 … uint64
  kComplex = 16,
  kBool = 32,
  kIntegers = kWideInts | kNarrowInts | kUnsigned,
  kSignedNumbers = kFloats | kWideInts | kNarrowInts,
  kReals = kFloats | kIntegers,
  kNumbers = kReals | kComplex,
  kAnalytic = kFloats | kComplex,
};

#define PLUMB_UNARY(Name, types, formula) \
  struct Name {                           \
    static constexpr int kTypes = types;  \
    template <class V>                    \
    HWY_INLINE V operator()(V x) const {  \
      return formula;                     \
    }                                     \
  };
#define PLUMB_BINARY(Name, types, formula)    \
  struct Name {                               \
    static constexpr int kTypes = types;      \
    template <class V>                        \
    HWY_INLINE V operator()(V x, V y) const { \
      return formula;                         \
    }                                         \
  };

PLUMB_UNARY(AbsF, kSignedNumbers, Abs(x))
PLUMB_UNARY(NegF, kSignedNumbers | kComplex, Neg(x))
PLUMB_UNARY(SignF, kSignedNumbers | kComplex, SignOf(x))
PLUMB_UNARY(SquareF, kNumbers, Mul(x, x))
PLUMB_UNARY(FloorF, kFloats, Floor(x))
PLUMB_UNARY(SqrtF, kAnalytic, Sqrt(x))
PLUMB_UNARY(RsqrtF, kAnalytic, Div(Like(x, 1), Sqrt(x)))
PLUMB_UNARY(ExpF, kAnalytic, ExpOf(x))
PLUMB_UNARY(LogF, kAnalytic, LogOf(x))
PLUMB_UNARY(Log1pF, kAnalytic, Log1pOf(x))
PLUMB_UNARY(TanhF, kAnalytic, TanhOf(x))
PLUMB_UNARY(SigmoidF, kAnalytic, Div(Like(x, 1), Add(Like(x, 1), ExpOf(Neg(x)))))
// Facts 11: NaN goes through, so the comparison is with the negative side.
PLUMB_UNARY(ReluF, kReals, IfThenElse(Lt(x, Like(x, 0)), Like(x, 0), x))
PLUMB_UNARY(ConjF, kComplex, ConjOf(x))
PLUMB_UNARY(LogicalNotF, kBool, !x)

PLUMB_BINARY(AddF, kNumbers, Add(x, y))
PLUMB_BINARY(SubF, kNumbers, Sub(x, y))
PLUMB_BINARY(MulF, kNumbers, Mul(x, y))
PLUMB_BINARY(DivF, kAnalytic, Div(x, y))
PLUMB_BINARY(FloorDivF, kFloats, Floor(Div(x, y)))
// Facts 11: NaN from either side goes through; of equal operands the first is taken.
PLUMB_BINARY(MaximumF, kReals, IfThenElse(Or(Lt(x, y), IsNaN(y)), y, x))
PLUMB_BINARY(MinimumF, kReals, IfThenElse(Or(Lt(y, x), IsNaN(y)), y, x))
PLUMB_BINARY(SquaredDifferenceF, kAnalytic | kWideInts, Mul(ConjOf(Sub(x, y)), Sub(x, y)))
// Gradients in terms of the output y of the op: (y, dy) -> dx. Here x is the op's output and y its gradient.
// N18: a gradient of zero stays zero.
PLUMB_BINARY(SqrtGradF, kAnalytic, IfThenElse(Eq(y, Like(y, 0)), Like(y, 0), Div(Mul(y, Like(y, 0.5)), ConjOf(x))))
PLUMB_BINARY(RsqrtGradF, kAnalytic,
             IfThenElse(Eq(y, Like(y, 0)), Like(y, 0),
                        Mul(Mul(Mul(y, ConjOf(x)), Like(y, -0.5)), Mul(ConjOf(x), ConjOf(x)))))
PLUMB_BINARY(TanhGradF, kAnalytic, Mul(y, Sub(Like(x, 1), Mul(x, x))))
PLUMB_BINARY(SigmoidGradF, kAnalytic, Mul(Mul(y, x), Sub(Like(x, 1), x)))
// (gradients, features)
PLUMB_BINARY(ReluGradF, kReals, Mul(x, IfThenElse(Lt(Like(y, 0), y), Like(y, 1), Like(y, 0))))
PLUMB_BINARY(LogicalAndF, kBool, x&& y)
PLUMB_BINARY(LogicalOrF, kBool, x || y)

#undef PLUMB_UNARY
#undef PLUMB_BINARY

// Op name and formula, for the tables: X(op, formula).
#define PLUMB_UNARY_OPS(X)                                                                                  \
  X("Abs", AbsF)                                                                                            \
  X("Neg", NegF)                                                                                            \
  X("Sign", SignF)                                                                                          \
  X("Square", SquareF)                                                                                      \
  X("Floor", FloorF)                                                                                        \
  X("Sqrt", SqrtF)                                                                                          \
  X("Rsqrt", RsqrtF)                                                                                        \
  X("Exp", ExpF) X("Log", LogF) X("Log1p", Log1pF) X("Tanh", TanhF) X("Sigmoid", SigmoidF) X("Relu", ReluF) \
      X("Conj", ConjF) X("LogicalNot", LogicalNotF)
#define PLUMB_BINARY_OPS(X)                                                                                         \
  X("Add", AddF)                                                                                                    \
  X("AddV2", AddF)                                                                                                  \
  X("Sub", SubF)                                                                                                    \
  X("Mul", MulF)                                                                                                    \
  X("Div", DivF)                                                                                                    \
  X("RealDiv", DivF)                                                                                                \
  X("FloorDiv", FloorDivF)                                                                                          \
  X("Maximum", MaximumF) X("Minimum", MinimumF) X("SquaredDifference", SquaredDifferenceF) X("SqrtGrad", SqrtGradF) \
      X("RsqrtGrad", RsqrtGradF) X("TanhGrad", TanhGradF) X("SigmoidGrad", SigmoidGradF) X("ReluGrad", ReluGradF)   \
          X("LogicalAnd", LogicalAndF) X("LogicalOr", LogicalOrF)

}  // namespace plumb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_FORMULAS_INL_H
