#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/later.h"
#include "reference/ops/lib/shape_prefix.h"

namespace plumb::reference {
namespace {

// Rows of data by segment number.
struct UnsortedSegments {
  Shape shape;    // of the result
  int64_t width;  // of a row

  explicit UnsortedSegments(const OpContext& c) {
    const Tensor &data = c.tensor(0), &ids = c.tensor(1);
    const int64_t segments = ScalarOf(c.tensor(2), "num_segments");
    Require(segments >= 0, "num_segments must not be negative: ", segments);
    Require(StartsWith(data.shape(), ids.shape()), "data.shape ", data.shape().ToString(),
            " does not start with segment_ids.shape ", ids.shape().ToString());
    const Shape row = Subshape(data.shape(), ids.rank(), data.rank());
    shape = WithInserted(row, 0, segments);
    width = row.elements();
  }

  // Calls f(i, s) for each row i that is in segment s; negative numbers are left out.
  template <class F>
  void ForEachRow(const OpContext& c, F f) const {
    const auto id = Load<Integer>(c.input(1));
    for (int64_t i = 0; i < c.tensor(1).elements() && width > 0; ++i) {
      if (id[i] < 0) continue;
      Require(id[i] < shape.dim(0), "segment_ids[", i, "] = ", static_cast<int64_t>(id[i]), " is not in [0, ",
              shape.dim(0), ")");
      f(i, static_cast<int64_t>(id[i]));
    }
  }
};

// output[s] = Σ data[i] over the i with segment_ids[i] = s. Sums grow in the element type.
template <class N, class Accumulator, class Add>
void Accumulate(OpContext& c, Add add) {
  const UnsortedSegments segments(c);
  const auto x = Load<N>(c.input(0));
  auto result = MakeArray<N>(c.tensor(0).dtype(), segments.shape);
  std::vector<Accumulator> folds(result.at.size());
  segments.ForEachRow(c, [&](int64_t i, int64_t s) {
    for (int64_t j = 0; j < segments.width; ++j) add(folds[s * segments.width + j], x[i * segments.width + j]);
  });
  for (size_t i = 0; i < folds.size(); ++i) result.at[i] = folds[i].Result();
  c.Output(0, Store(result));
}

void UnsortedSegmentSum(OpContext& c) {
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    Accumulate<N, SumOf<N>>(c, [](SumOf<N>& sum, const N& x) { sum.Add(x); });
  });
}

void UnsortedSegmentProd(OpContext& c) {
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    Accumulate<N, Product<N>>(c, [](Product<N>& product, const N& x) { product.Multiply(x); });
  });
}

// The largest finite number of a type, and the smallest.
Real Most(DType dtype, TypeTag<Real>) { return LargestFinite(dtype); }
Integer Most(DType dtype, TypeTag<Integer>) {
  return Wrap(-1, dtype) > 0 ? Wrap(-1, dtype) : Wrap((Integer::Wide{1} << (8 * ElementSize(dtype) - 1)) - 1, dtype);
}
Real Least(DType dtype, TypeTag<Real>) { return -LargestFinite(dtype); }
Integer Least(DType dtype, TypeTag<Integer>) {
  return Wrap(-1, dtype) > 0 ? Integer(0) : -Most(dtype, TypeTag<Integer>()) - 1;
}

// Folds begin with the finite number that is the worst, so that an infinity on that side never shows.
template <bool is_max>
void UnsortedExtremum(OpContext& c) {
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const UnsortedSegments segments(c);
    const auto x = Load<N>(c.input(0));
    auto result = MakeArray<N>(dtype, segments.shape, is_max ? Least(dtype, kind) : Most(dtype, kind));
    segments.ForEachRow(c, [&](int64_t i, int64_t s) {
      for (int64_t j = 0; j < segments.width; ++j) {
        N& best = result[s * segments.width + j];
        best = Later<is_max>(best, x[i * segments.width + j]);
      }
    });
    c.Output(0, Store(result));
  });
}

constexpr KernelRow kRows[] = {
    {"UnsortedSegmentSum", UnsortedSegmentSum},
    {"UnsortedSegmentProd", UnsortedSegmentProd},
    {"UnsortedSegmentMax", UnsortedExtremum<true>},
    {"UnsortedSegmentMin", UnsortedExtremum<false>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionSegment() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
