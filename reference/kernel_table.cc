#include <array>
#include <unordered_map>

#include "reference/op_context.h"

namespace plumb::reference {

Kernel FindKernel(std::string_view op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, Kernel> kernels;
    for (const auto family : {PlumbingKernels(), ArrayKernels(), MathKernels(), ActivationKernels(), ReductionKernels(),
                              MatrixKernels(), ConvolutionKernels(), NormalizationKernels(), LossKernels(),
                              StateKernels(), OptimizerKernels(), RandomKernels(), StackKernels(), CheckKernels()}) {
      for (const KernelRow& row : family) kernels.emplace(row.op, row.kernel);
    }
    return kernels;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace plumb::reference
