// The nearest centers of points by their squared distances; ties go to the first.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// |p|² + |c|² − 2pc is what implementations may add up instead: the bound is that of its terms.
Real SquaredDistance(const Reader<Real>& points, int64_t point, const Reader<Real>& centers, int64_t center,
                     int64_t size) {
  double distance = 0, error = 0, derivative = 0, terms = 0;
  for (int64_t k = 0; k < size; ++k) {
    const Real p = points[point * size + k], c = centers[center * size + k];
    const double difference = p.v - c.v, off = p.e + c.e;
    distance += difference * difference;
    error += 2 * std::fabs(difference) * off + off * off;
    derivative += Chain(2 * difference, p.d - c.d);
    terms += p.v * p.v + c.v * c.v;
  }
  const double units = 2 * static_cast<double>(size) + 8;
  Real result = Rounded(distance, error, derivative);
  Widen(result, terms < arithmetic.largest / 4 ? units * arithmetic.unit * 2 * terms + arithmetic.tiny : INFINITY);
  return result;
}

// Where a distance is no number, the center is as far as can be.
double Rank(Real distance) { return IsNan(distance) ? INFINITY : distance.v; }

// The k nearest, the nearest first. Of one that is asked for alone, the first center counts until another is nearer: it
// stays where its distance is no number.
std::vector<int64_t> Nearest(const std::vector<Real>& distances, int64_t k) {
  if (k == 1) {
    const auto nearer = [](Real a, Real b) { return a.v < b.v; };
    return {std::min_element(distances.begin(), distances.end(), nearer) - distances.begin()};
  }
  std::vector<int64_t> order(distances.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return Rank(distances[static_cast<size_t>(a)]) < Rank(distances[static_cast<size_t>(b)]);
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
    std::vector<Real> all;
    for (int64_t j = 0; j < count; ++j) all.push_back(SquaredDistance(points, row, centers, j, size));
    const std::vector<int64_t> order = Nearest(all, k);
    for (int64_t i = 0; i < k; ++i) {
      indices[row * k + i] = order[static_cast<size_t>(i)];
      distances[row * k + i] = all[static_cast<size_t>(order[static_cast<size_t>(i)])];
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
