#include <unordered_map>

#include "reference/op_context.h"

namespace plumb::reference {
namespace {

const KernelRow* FindRow(std::string_view op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const KernelRow*> rows;
    for (const auto family : {PlumbingKernels(), ArrayKernels(), MathKernels(), ActivationKernels(), ReductionKernels(),
                              MatrixKernels(), ConvolutionKernels(), NormalizationKernels(), LossKernels(),
                              StateKernels(), OptimizerKernels(), RandomKernels(), StackKernels(), CheckKernels()}) {
      for (const KernelRow& row : family) rows.emplace(row.op, &row);
    }
    return rows;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Kernel FindKernel(std::string_view op) {
  const KernelRow* row = FindRow(op);
  return row == nullptr ? nullptr : row->kernel;
}

NodeCheck FindCheck(std::string_view op) {
  const KernelRow* row = FindRow(op);
  return row == nullptr ? nullptr : row->check;
}

}  // namespace plumb::reference
