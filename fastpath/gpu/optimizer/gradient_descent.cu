// See ../../formulas/optimizer/gradient_descent-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/gradient_descent-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kInputs{.slots = 1, .gradient = 2, .scalars = {1}};

std::unique_ptr<GpuKernel> MakeDescent(const Node& node) { return MakeUpdate<GradientDescent>(node, kInputs); }

constexpr GpuKernelRow kRows[] = {
    {"ApplyGradientDescent", MakeDescent},
    {"ResourceApplyGradientDescent", MakeDescent},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerGradientDescent() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
