#include <algorithm>
#include <functional>

#include "reference/ops/lib/set_rows.h"

namespace plumb::reference {
namespace {

// Whether element i of the truth is element j of the hypothesis.
using Same = std::function<bool(int64_t, int64_t)>;

Same SameIn(const Value& truth, const Value& hypothesis) {
  if (truth.tensor.dtype() == DType::kString) {
    return [a = truth.tensor, b = hypothesis.tensor](int64_t i, int64_t j) {
      return a.data<std::string>()[static_cast<size_t>(i)] == b.data<std::string>()[static_cast<size_t>(j)];
    };
  }
  Same same;
  ForNumber(truth.tensor.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    same = [a = Reader<N>(truth), b = Reader<N>(hypothesis)](int64_t i, int64_t j) { return a[i] == b[j]; };
  });
  return same;
}

// The textbook's table, whose entry (i, j) is the distance of the first i elements from the first j.
int64_t Distance(const SetRun& truth, const SetRun& hypothesis, const Same& same) {
  const int64_t m = truth.end - truth.begin, n = hypothesis.end - hypothesis.begin;
  std::vector<std::vector<int64_t>> table(static_cast<size_t>(m + 1), std::vector<int64_t>(static_cast<size_t>(n + 1)));
  for (int64_t i = 0; i <= m; ++i) {
    for (int64_t j = 0; j <= n; ++j) {
      const auto at = [&](int64_t a, int64_t b) { return table[static_cast<size_t>(a)][static_cast<size_t>(b)]; };
      int64_t best = i == 0 || j == 0 ? i + j : std::min(at(i - 1, j), at(i, j - 1)) + 1;
      if (i > 0 && j > 0) {
        const bool is_same = same(truth.begin + i - 1, hypothesis.begin + j - 1);
        best = std::min(best, at(i - 1, j - 1) + (is_same ? 0 : 1));
      }
      table[static_cast<size_t>(i)][static_cast<size_t>(j)] = best;
    }
  }
  return table.back().back();
}

void EditDistance(OpContext& c) {
  const SetRuns hypothesis(c, 0, /*validate=*/false), truth(c, 3, /*validate=*/false);
  Require(hypothesis.shape().size() == truth.shape().size(), "hypothesis and truth must have one rank, not ",
          hypothesis.shape().size(), " and ", truth.shape().size());
  std::vector<int64_t> outer = truth.outer();
  for (size_t axis = 0; axis < outer.size(); ++axis) outer[axis] = std::max(outer[axis], hypothesis.shape()[axis]);
  Require(Shape(outer).elements() > 0, "there must be one row at least, not the shape ", Shape(outer).ToString());
  const Same same = SameIn(c.input(4), c.input(1));
  const bool normalize = c.attr<bool>("normalize");
  ComputeIn(DType::kFloat);
  auto result = MakeArray<Real>(DType::kFloat, Shape(outer));
  const auto put = [&](const std::vector<int64_t>& row, Real value) {
    const int64_t place = PlaceOf(outer, row);
    if (place < 0 || place >= result.shape.elements()) {
      throw Internal("a row at place ", place, " is outside of the shape ", result.shape.ToString());
    }
    result[place] = value;
  };
  auto guess = hypothesis.runs().begin(), wanted = truth.runs().begin();
  while (guess != hypothesis.runs().end() || wanted != truth.runs().end()) {
    const bool has_guess =
        wanted == truth.runs().end() || (guess != hypothesis.runs().end() && guess->row <= wanted->row);
    const bool has_truth =
        guess == hypothesis.runs().end() || (wanted != truth.runs().end() && wanted->row <= guess->row);
    const SetRun none;
    const SetRun& a = has_truth ? *wanted : none;
    const SetRun& b = has_guess ? *guess : none;
    const auto length = static_cast<double>(a.end - a.begin);
    const Real distance = static_cast<double>(Distance(a, b, same));
    put(has_truth ? a.row : b.row, normalize ? distance / Real(length) : distance);
    guess += has_guess ? 1 : 0;
    wanted += has_truth ? 1 : 0;
  }
  c.Output(0, Store(result));
}

constexpr KernelRow kRows[] = {
    {"EditDistance", EditDistance},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseEditDistance() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
