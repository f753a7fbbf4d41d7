// Sums and means of rows that indices name, by segments, and the way back.
#include <algorithm>
#include <cmath>
#include <map>

#include "reference/numbers/element.h"
#include "reference/ops/reduction/segments.h"

namespace plumb::reference {
namespace {

enum class Scale { kNone, kMean, kSqrtN };

void CheckIndices(const OpContext& c) {
  const Tensor &indices = c.tensor(1), &ids = c.tensor(2);
  Require(c.tensor(0).rank() >= 1, "data must have one dimension at least");
  Require(indices.rank() == 1 && ids.rank() == 1 && indices.dim(0) == ids.dim(0),
          "indices and segment_ids must be vectors of one size, not of shapes ", indices.shape().ToString(), " and ",
          ids.shape().ToString());
}

// 1/n or 1/√n, as a number that was rounded on its way.
Real FactorOf(Scale scale, int64_t count) {
  const Real n = static_cast<double>(count);
  if (scale == Scale::kNone || count <= 1) return 1;
  return Real(1) / (scale == Scale::kMean ? n : Sqrt(n));
}

// output[s] = factor · Σ data[indices[i]] over the i of segment s. One row alone is handed on.
template <class N>
void SumSegments(OpContext& c, Scale scale) {
  const Tensor& data = c.tensor(0);
  CheckIndices(c);
  const bool is_given = c.num_inputs() == 4;
  const int64_t given = is_given ? ScalarOf(c.tensor(3), "num_segments") : 0;
  Require(given >= 0, "num_segments must not be negative, but is ", given);
  const Segments segments = SegmentsOf(c.tensor(2), is_given ? std::optional(given) : std::nullopt);
  const std::vector<int64_t> index = ToInt64s(c.tensor(1));
  const int64_t width = RowWidth(data);
  const Reader<N> x(c.input(0));
  auto result = MakeArray<N>(data.dtype(), WithRows(data, segments.count));
  for (const SegmentRun& run : segments.runs) {
    std::vector<SumOf<N>> sums(static_cast<size_t>(width));
    for (int64_t i = run.begin; i < run.end; ++i) {
      const int64_t row = index[static_cast<size_t>(i)];
      Require(row >= 0 && row < data.dim(0), "indices[", i, "] = ", row, " is not in [0, ", data.dim(0), ")");
      for (int64_t j = 0; j < width; ++j) sums[static_cast<size_t>(j)].Add(x[row * width + j]);
    }
    for (int64_t j = 0; j < width; ++j) {
      N& to = result[run.id * width + j];
      to = sums[static_cast<size_t>(j)].Result();
      if (run.end - run.begin == 1) to = x[index[static_cast<size_t>(run.begin)] * width + j];
      if constexpr (std::is_same_v<N, Real>) {
        if (run.end - run.begin > 1 && scale != Scale::kNone) to = to * FactorOf(scale, run.end - run.begin);
      }
    }
  }
  c.Output(0, Store(result));
}

template <Scale scale>
void SparseSegment(OpContext& c) {
  ForKind<Real, Integer>(c.tensor(0).dtype(), [&](auto kind) { SumSegments<typename decltype(kind)::Type>(c, scale); });
}

// output[indices[i]] = Σ factor(segment of i) · grad[segment of i], beginning with the first of these: negative zeros
// add up to −0 (N19).
template <Scale scale>
void SparseSegmentGrad(OpContext& c) {
  const Tensor& grad = c.tensor(0);
  CheckIndices(c);
  const int64_t rows = ScalarOf(c.tensor(3), "output_dim0");
  Require(rows >= 0, "output_dim0 must not be negative, but is ", rows);
  const std::vector<int64_t> index = ToInt64s(c.tensor(1)), id = ToInt64s(c.tensor(2));
  const int64_t width = RowWidth(grad);
  ForKind<Real>(grad.dtype(), [&](auto) {
    const Reader<Real> x(c.input(0));
    auto result = MakeArray<Real>(grad.dtype(), WithRows(grad, rows));
    std::vector<Sum> sums(result.at.size());
    std::vector<bool> is_negative_zero(result.at.size());
    std::map<int64_t, int64_t> count;
    for (size_t i = 0; i < id.size() && rows > 0; ++i) {
      Require(id[i] >= 0 && id[i] < grad.dim(0), "segment_ids[", i, "] = ", id[i], " is not in [0, ", grad.dim(0), ")");
      Require(index[i] >= 0 && index[i] < rows, "indices[", i, "] = ", index[i], " is not in [0, ", rows, ")");
      ++count[id[i]];
      std::fill_n(is_negative_zero.begin() + index[i] * width, width, true);
    }
    for (size_t i = 0; i < id.size() && rows > 0; ++i) {
      const int64_t of_segment = count[id[i]];
      const Real factor = FactorOf(scale, of_segment);
      for (int64_t j = 0; j < width; ++j) {
        const Real dy = x[id[i] * width + j];
        const bool is_scaled = scale != Scale::kNone && of_segment > 1;
        const auto to = static_cast<size_t>(index[i] * width + j);
        sums[to].Add(is_scaled ? dy * factor : dy);
        if (dy.v != 0 || !std::signbit(dy.v)) is_negative_zero[to] = false;
      }
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      result.at[i] = is_negative_zero[i] ? Real(-0.0) : sums[i].Result();
    }
    c.Output(0, Store(result));
  });
}

constexpr KernelRow kRows[] = {
    {"SparseSegmentSum", SparseSegment<Scale::kNone>},
    {"SparseSegmentMean", SparseSegment<Scale::kMean>},
    {"SparseSegmentSqrtN", SparseSegment<Scale::kSqrtN>},
    {"SparseSegmentSumWithNumSegments", SparseSegment<Scale::kNone>},
    {"SparseSegmentMeanWithNumSegments", SparseSegment<Scale::kMean>},
    {"SparseSegmentSqrtNWithNumSegments", SparseSegment<Scale::kSqrtN>},
    {"SparseSegmentSumGrad", SparseSegmentGrad<Scale::kNone>},
    {"SparseSegmentMeanGrad", SparseSegmentGrad<Scale::kMean>},
    {"SparseSegmentSqrtNGrad", SparseSegmentGrad<Scale::kSqrtN>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionSparseSegment() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
