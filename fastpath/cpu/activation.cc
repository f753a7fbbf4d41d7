// The activation family: elementwise formulas (formulas-inl.h) and softmax.
#include "fastpath/cpu/elementwise.h"

namespace plumb::fast {

std::span<const KernelRow> CpuActivationKernels() {
  static const KernelRow rows[] = {
      {"Relu", Make<UnaryKernel>},         {"ReluGrad", Make<BinaryKernel>}, {"Sigmoid", Make<UnaryKernel>},
      {"SigmoidGrad", Make<BinaryKernel>}, {"Tanh", Make<UnaryKernel>},      {"TanhGrad", Make<BinaryKernel>},
  };
  return rows;
}

}  // namespace plumb::fast
