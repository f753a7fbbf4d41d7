// See ../../formulas/optimizer/adadelta-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/adadelta-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kInputs{.slots = 3, .gradient = 6, .scalars = {3, 4, 5}};

std::unique_ptr<GpuKernel> MakeAdadelta(const Node& node) { return MakeUpdate<Adadelta>(node, kInputs); }

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdadelta", MakeAdadelta},
    {"ResourceApplyAdadelta", MakeAdadelta},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdadelta() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
