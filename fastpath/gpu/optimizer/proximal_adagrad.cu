// See ../../formulas/optimizer/proximal-inl.h for what is computed.
#include "fastpath/gpu/lib/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/proximal-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kDense{.slots = 2, .gradient = 5, .scalars = {2, 3, 4}};
const UpdateInputs kSparse{.slots = 2, .gradient = 5, .indices = 6, .scalars = {2, 3, 4}};

std::unique_ptr<GpuKernel> MakeDense(const Node& node) { return MakeUpdate<ProximalAdagrad>(node, kDense); }
std::unique_ptr<GpuKernel> MakeSparse(const Node& node) { return MakeUpdateOfRows<ProximalAdagrad>(node, kSparse); }

constexpr GpuKernelRow kRows[] = {
    {"ApplyProximalAdagrad", MakeDense},
    {"ResourceApplyProximalAdagrad", MakeDense},
    {"SparseApplyProximalAdagrad", MakeSparse},
    {"ResourceSparseApplyProximalAdagrad", MakeSparse},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerProximalAdagrad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
