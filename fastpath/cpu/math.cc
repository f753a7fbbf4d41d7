// The math family: one row per op. Formulas are in formulas-inl.h, loops in math_simd.cc and math_scalar.cc.
#include "fastpath/cpu/lib/elementwise.h"
#include "fastpath/cpu/math_kernels.h"

namespace plumb::fast::cpu {

std::span<const KernelRow> CpuMathKernels() {
  static const KernelRow rows[] = {
      {"Abs", Make<UnaryKernel>},
      {"Neg", Make<UnaryKernel>},
      {"Sign", Make<UnaryKernel>},
      {"Floor", Make<UnaryKernel>},
      {"Square", Make<UnaryKernel>},
      {"Sqrt", Make<UnaryKernel>},
      {"Rsqrt", Make<UnaryKernel>},
      {"Exp", Make<UnaryKernel>},
      {"Log", Make<UnaryKernel>},
      {"Log1p", Make<UnaryKernel>},
      {"Conj", Make<UnaryKernel>},
      {"IsFinite", Make<UnaryKernel>},
      {"LogicalNot", Make<UnaryKernel>},
      {"SqrtGrad", Make<BinaryKernel>},
      {"RsqrtGrad", Make<BinaryKernel>},
      {"Add", Make<BinaryKernel>},
      {"AddV2", Make<BinaryKernel>},
      {"Sub", Make<BinaryKernel>},
      {"Mul", Make<BinaryKernel>},
      {"Div", Make<BinaryKernel>},
      {"RealDiv", Make<BinaryKernel>},
      {"FloorDiv", Make<BinaryKernel>},
      {"FloorMod", Make<BinaryKernel>},
      {"Pow", Make<BinaryKernel>},
      {"Maximum", Make<BinaryKernel>},
      {"Minimum", Make<BinaryKernel>},
      {"SquaredDifference", Make<BinaryKernel>},
      {"Equal", Make<BinaryKernel>},
      {"NotEqual", Make<BinaryKernel>},
      {"Less", Make<BinaryKernel>},
      {"LessEqual", Make<BinaryKernel>},
      {"Greater", Make<BinaryKernel>},
      {"GreaterEqual", Make<BinaryKernel>},
      {"LogicalAnd", Make<BinaryKernel>},
      {"LogicalOr", Make<BinaryKernel>},
      {"Select", MakeSelect},
      {"Cast", MakeCast},
      {"AddN", MakeAddN},
      {"AccumulateNV2", MakeAddN},
  };
  return rows;
}

}  // namespace plumb::fast::cpu
