// Neighbouring rows of one segment, folded.
#include "reference/ops/lib/later.h"
#include "reference/ops/reduction/segments.h"

namespace plumb::reference {
namespace {

// result[s] = fold(column of the rows of segment s), and `nothing` for a segment without rows.
template <class N, class F>
void FoldSegments(OpContext& c, N nothing, F fold) {
  const Tensor& data = c.tensor(0);
  Require(data.rank() >= 1 && c.tensor(1).elements() == data.dim(0), "segment_ids of shape ",
          c.tensor(1).shape().ToString(), " must have a number for each row of data of shape ",
          data.shape().ToString());
  const Segments segments = SegmentsOf(c.tensor(1));
  const int64_t width = RowWidth(data);
  const Reader<N> x(c.input(0));
  auto result = MakeArray<N>(data.dtype(), WithRows(data, segments.count), nothing);
  for (const SegmentRun& run : segments.runs) {
    for (int64_t j = 0; j < width; ++j) {
      std::vector<N> column;
      for (int64_t i = run.begin; i < run.end; ++i) column.push_back(x[i * width + j]);
      result[run.id * width + j] = fold(column);
    }
  }
  c.Output(0, Store(result));
}

// N19: one row alone is its own sum.
template <class N>
N SumOfColumn(const std::vector<N>& column) {
  if (column.size() == 1) return column[0];
  SumOf<N> sum;
  for (const N& x : column) sum.Add(x);
  return sum.Result();
}

// The sum of integers is kept in their own type.
Real Quotient(Real sum, int64_t count, DType /*dtype*/) { return sum / Real(static_cast<double>(count)); }
Complex Quotient(Complex sum, int64_t count, DType dtype) {
  return {Quotient(sum.re, count, dtype), Quotient(sum.im, count, dtype)};
}
Integer Quotient(Integer sum, int64_t count, DType dtype) { return Wrap(sum, dtype) / Integer(count); }

void SegmentSum(OpContext& c) {
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    FoldSegments<N>(c, N(), SumOfColumn<N>);
  });
}

void SegmentMean(OpContext& c) {
  const DType dtype = c.tensor(0).dtype();
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    FoldSegments<N>(c, N(), [dtype](const std::vector<N>& column) {
      const auto count = static_cast<int64_t>(column.size());
      return count == 1 ? column[0] : Quotient(SumOfColumn(column), count, dtype);
    });
  });
}

void SegmentProd(OpContext& c) {
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    FoldSegments<N>(c, N(1), [](const std::vector<N>& column) {
      if (column.size() == 1) return column[0];
      Product<N> product;
      for (const N& x : column) product.Multiply(x);
      return product.Result();
    });
  });
}

template <bool is_max>
void Extremum(OpContext& c) {
  ForKind<Real, Integer>(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    FoldSegments<N>(c, N(), [](const std::vector<N>& column) {
      N best = column[0];
      for (const N& x : column) best = Later<is_max>(best, x);
      return best;
    });
  });
}

constexpr KernelRow kRows[] = {
    {"SegmentSum", SegmentSum},     {"SegmentMean", SegmentMean},    {"SegmentProd", SegmentProd},
    {"SegmentMax", Extremum<true>}, {"SegmentMin", Extremum<false>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionSortedSegment() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
