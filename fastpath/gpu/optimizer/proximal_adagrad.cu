// See ../../formulas/optimizer/proximal-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/proximal-inl.h"
#undef PLUMB_INLINE

// c: as in ProximalAdagrad.
struct PenaltyCheck {
  template <class V>
  static PLUMB_GPU_WORD int64_t NumberFor(const V* c) {
    if (!(c[0] > V(0))) return -1;
    return c[1] >= V(0) && c[2] >= V(0) ? 0 : -2;
  }
  static std::string Words(int64_t number) {
    return number == -1 ? "lr must be positive" : "l1 and l2 must not be negative";
  }
};

const UpdateInputs kSparse{.slots = 2, .gradient = 5, .indices = 6, .scalars = {2, 3, 4}, .refuses_empty_rows = true};

std::unique_ptr<GpuKernel> MakeSparse(const Node& node) {
  return MakeUpdateOfRows<ProximalAdagrad, PenaltyCheck>(node, kSparse);
}

constexpr GpuKernelRow kRows[] = {
    {"SparseApplyProximalAdagrad", MakeSparse},
    {"ResourceSparseApplyProximalAdagrad", MakeSparse},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerProximalAdagrad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
