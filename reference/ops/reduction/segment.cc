#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/shape_prefix.h"

namespace plumb::reference {
namespace {

// output[s] = Σ data[i] over the i with segment_ids[i] = s; negative ids are left out. Sums grow in the element type.
void UnsortedSegmentSum(OpContext& context) {
  const Tensor &data = context.tensor(0), &ids = context.tensor(1);
  const int64_t segments = ScalarOf(context.tensor(2), "num_segments");
  Require(segments >= 0, "num_segments must not be negative: ", segments);
  Require(StartsWith(data.shape(), ids.shape()), "data.shape ", data.shape().ToString(),
          " does not start with segment_ids.shape ", ids.shape().ToString());
  const Shape row = Subshape(data.shape(), ids.rank(), data.rank());
  const int64_t width = row.elements();
  const auto id = Load<Integer>(context.input(1));
  ForNumber(data.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(context.input(0));
    auto result = MakeArray<N>(data.dtype(), WithInserted(row, 0, segments));
    std::vector<SumOf<N>> sums(result.at.size());
    for (int64_t i = 0; i < ids.elements(); ++i) {
      if (id[i] < 0 || width == 0) continue;
      Require(id[i] < segments, "segment_ids[", i, "] = ", static_cast<int64_t>(id[i]), " is not in [0, ", segments,
              ")");
      for (int64_t j = 0; j < width; ++j) sums[static_cast<int64_t>(id[i]) * width + j].Add(x[i * width + j]);
    }
    for (size_t i = 0; i < sums.size(); ++i) result.at[i] = sums[i].Result();
    context.Output(0, Store(result));
  });
}

constexpr KernelRow kRows[] = {
    {"UnsortedSegmentSum", UnsortedSegmentSum},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionSegment() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
