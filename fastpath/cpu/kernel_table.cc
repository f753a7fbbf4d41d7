#include <unordered_map>

#include "fastpath/cpu/families.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

KernelFactory FindCpuKernel(std::string_view op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, KernelFactory> factories;
    for (const auto family :
         {CpuArrayKernels(), CpuMathKernels(), CpuActivationKernels(), CpuReductionKernels(), CpuMatrixKernels(),
          CpuConvolutionKernels(), CpuNormalizationKernels(), CpuLossKernels(), CpuStateKernels(),
          CpuOptimizerKernels(), CpuRandomKernels(), CpuStackKernels(), CpuCheckKernels(), CumulativeKernels()}) {
      for (const KernelRow& row : family) factories.emplace(row.op, row.make);
    }
    return factories;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace plumb::fast::cpu
