// See ../../formulas/optimizer/ftrl-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/ftrl-inl.h"
#undef PLUMB_INLINE

// The power is known on the device only; the usual one is a root.
struct RootOrPower {
  template <class V>
  static PLUMB_GPU_WORD V Power(V n, V power) {
    return power == V(0.5) ? Sqrt(n) : std::pow(n, power);
  }
  template <class V, class Format>
  static PLUMB_GPU_WORD InSteps<V, Format> Power(InSteps<V, Format> n, InSteps<V, Format> power) {
    return InSteps<V, Format>(Power(n.number, power.number));
  }
};

// The sparse forms look at their numbers before anything is written; the dense ones do not look. c: as in Ftrl, not
// prepared.
template <bool linear_by_lr, bool shrinks>
struct FtrlCheck {
  template <class V>
  static PLUMB_GPU_WORD int64_t NumberFor(const V* c) {
    constexpr int kPower = shrinks ? 4 : 3;
    if (!(c[0] > V(0) || (linear_by_lr && c[0] == V(0)))) return -1;
    if (!(c[1] >= V(0) && c[2] >= V(0) && (!shrinks || c[3] >= V(0)))) return -2;
    return c[kPower] <= V(0) ? 0 : -3;
  }
  static std::string Words(int64_t number) {
    if (number == -1) return "lr must be positive";
    return number == -2 ? "l1, l2 and l2_shrinkage must not be negative" : "lr_power must not be positive";
  }
};

// The second version has l2_shrinkage before lr_power.
const UpdateInputs kDense{.slots = 3, .gradient = 3, .scalars = {4, 5, 6, 7}};
const UpdateInputs kSparse{
    .slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8}, .refuses_empty_rows = true};
const UpdateInputs kDenseV2{.slots = 3, .gradient = 3, .scalars = {4, 5, 6, 7, 8}};
const UpdateInputs kSparseV2{
    .slots = 3, .gradient = 3, .indices = 4, .scalars = {5, 6, 7, 8, 9}, .refuses_empty_rows = true};

template <bool linear_by_lr, bool shrinks>
std::unique_ptr<GpuKernel> MakeFor(const Node& node, bool by_rows) {
  using Dense = Ftrl<RootOrPower, linear_by_lr, shrinks, /*by_rows=*/false>;
  using ByRows = Ftrl<RootOrPower, linear_by_lr, shrinks, /*by_rows=*/true>;
  if (!by_rows) return MakeUpdate<Dense>(node, shrinks ? kDenseV2 : kDense);
  return MakeUpdateOfRows<ByRows, FtrlCheck<linear_by_lr, shrinks>>(node, shrinks ? kSparseV2 : kSparse);
}

template <bool shrinks, bool by_rows>
std::unique_ptr<GpuKernel> MakeFtrl(const Node& node) {
  if (GetAttrOr(node.attrs, "multiply_linear_by_lr", false)) return MakeFor<true, shrinks>(node, by_rows);
  return MakeFor<false, shrinks>(node, by_rows);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyFtrl", MakeFtrl<false, false>},       {"ResourceApplyFtrl", MakeFtrl<false, false>},
    {"ApplyFtrlV2", MakeFtrl<true, false>},      {"ResourceApplyFtrlV2", MakeFtrl<true, false>},
    {"SparseApplyFtrl", MakeFtrl<false, true>},  {"ResourceSparseApplyFtrl", MakeFtrl<false, true>},
    {"SparseApplyFtrlV2", MakeFtrl<true, true>}, {"ResourceSparseApplyFtrlV2", MakeFtrl<true, true>},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerFtrl() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
