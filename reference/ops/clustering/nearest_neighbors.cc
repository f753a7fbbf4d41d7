// The nearest centers of points by their squared distances; ties go to the first.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// A center as a point sees it. What ranks centers is |c|²/2 − pc, which is the distance but for what they have in
// common.
struct Candidate {
  Real distance;
  double rank = 0;
};

// |p|² + |c|² − 2pc is what implementations may add up instead: the bound is that of its terms, and where coordinates
// are infinite it decides, as in TensorFlow, which of the distances are no numbers.
Candidate CandidateAt(const Reader<Real>& points, int64_t point, const Reader<Real>& centers, int64_t center,
                      int64_t size) {
  double distance = 0, error = 0, derivative = 0, p_squared = 0, c_squared = 0, product = 0;
  for (int64_t k = 0; k < size; ++k) {
    const Real p = points[point * size + k], c = centers[center * size + k];
    const double difference = p.v - c.v, off = p.e + c.e;
    distance += difference * difference;
    error += 2 * std::fabs(difference) * off + off * off;
    derivative += Chain(2 * difference, p.d - c.d);
    p_squared += p.v * p.v;
    c_squared += c.v * c.v;
    product += p.v * c.v;
  }
  double rank = distance;
  if (!std::isfinite(distance)) {
    rank = c_squared / 2 - product;
    distance = p_squared + 2 * rank;
  }
  const double units = 2 * static_cast<double>(size) + 8, terms = p_squared + c_squared;
  Real result = Rounded(distance, error, derivative);
  Widen(result, terms < arithmetic.largest / 4 ? units * arithmetic.unit * 2 * terms + arithmetic.tiny : INFINITY);
  return {result, rank};
}

// A rank that is no number comes last.
double Place(const Candidate& candidate) { return std::isnan(candidate.rank) ? INFINITY : candidate.rank; }

// The k nearest, the nearest first. Of one that is asked for alone, the first center counts until another is nearer: it
// stays where its rank is no number.
std::vector<int64_t> Nearest(const std::vector<Candidate>& candidates, int64_t k) {
  if (k == 1) {
    const auto nearer = [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; };
    return {std::min_element(candidates.begin(), candidates.end(), nearer) - candidates.begin()};
  }
  std::vector<int64_t> order(candidates.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return Place(candidates[static_cast<size_t>(a)]) < Place(candidates[static_cast<size_t>(b)]);
  });
  order.resize(static_cast<size_t>(k));
  return order;
}

void NearestNeighbors(OpContext& c) {
  const Shape &points_shape = c.tensor(0).shape(), &centers_shape = c.tensor(1).shape();
  Require(points_shape.rank() == 2 && centers_shape.rank() == 2, "points and centers must be matrices, not of shapes ",
          points_shape.ToString(), " and ", centers_shape.ToString());
  const int64_t rows = points_shape.dim(0), size = points_shape.dim(1), count = centers_shape.dim(0);
  const int64_t k = std::min(count, ScalarOf(c.tensor(2), "k"));
  Require(rows > 0, "there are no points");
  Require(size == centers_shape.dim(1), "points have ", size, " coordinates, but centers have ", centers_shape.dim(1));
  Require(k >= 0, "k must not be negative: ", k);
  ComputeIn(DType::kFloat);
  const Reader<Real> points(c.input(0)), centers(c.input(1));
  auto indices = MakeArray<Integer>(DType::kInt64, {rows, k});
  auto distances = MakeArray<Real>(DType::kFloat, {rows, k});
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<Candidate> all;
    for (int64_t j = 0; j < count; ++j) all.push_back(CandidateAt(points, row, centers, j, size));
    const std::vector<int64_t> order = Nearest(all, k);
    for (int64_t i = 0; i < k; ++i) {
      indices[row * k + i] = order[static_cast<size_t>(i)];
      distances[row * k + i] = all[static_cast<size_t>(order[static_cast<size_t>(i)])].distance;
    }
  }
  c.Output(0, Store(indices));
  c.Output(1, Store(distances));
}

constexpr KernelRow kRows[] = {
    {"NearestNeighbors", NearestNeighbors},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ClusteringNearestNeighbors() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
