// The nearest centers of points by their squared distances; ties go to the first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

// The rank is the distance; where that is not finite, |c|²/2 − pc. One that is no number comes behind all that are
// smaller than infinity.
struct Neighbor {
  double distance = 0;
  double rank = 0;
  int64_t index = 0;
  double place() const { return std::isnan(rank) ? std::numeric_limits<double>::infinity() : rank; }
  bool operator<(const Neighbor& other) const {
    return std::pair(place(), index) < std::pair(other.place(), other.index);
  }
};

// What decides where one center is asked for: the first stays unless another is nearer, and so does one whose rank is
// no number.
bool IsNearer(const Neighbor& a, const Neighbor& b) { return a.rank < b.rank; }

class NearestNeighborsKernel : public Kernel {
 public:
  explicit NearestNeighborsKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor &points = context.input(0), &centers = context.input(1), &limit = context.input(2);
    Require(points.rank() == 2 && centers.rank() == 2, "points and centers must be matrices, not of ", "shapes ",
            Printed(points.shape()), " and ", Printed(centers.shape()));
    Require(limit.rank() == 0, "k must be a scalar, not of shape ", Printed(limit.shape()));
    const int64_t rows = points.dim(0), size = points.dim(1), count = centers.dim(0);
    const int64_t k = std::min(count, limit.data<int64_t>()[0]);
    Require(rows > 0, "there are no points");
    Require(size == centers.dim(1), "points have ", size, " coordinates, but centers have ", centers.dim(1));
    Require(k >= 0, "k must not be negative: ", k);
    int64_t* const indices = context.AllocateOutput(0, DType::kInt64, Shape({rows, k})).mutable_data<int64_t>().data();
    float* const distances = context.AllocateOutput(1, DType::kFloat, Shape({rows, k})).mutable_data<float>().data();
    if (k == 0) return;
    const float *const from = points.data<float>().data(), *const to = centers.data<float>().data();
    context.pool().ParallelFor(rows, GrainFor(count * (size + 8)), [&](int64_t begin, int64_t end) {
      std::vector<Neighbor> neighbors(static_cast<size_t>(count));
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t j = 0; j < count; ++j) {
          neighbors[static_cast<size_t>(j)] = NeighborAt(from + row * size, to + j * size, size, j);
        }
        if (k == 1) {
          std::swap(neighbors[0], *std::min_element(neighbors.begin(), neighbors.end(), IsNearer));
        } else {
          std::partial_sort(neighbors.begin(), neighbors.begin() + k, neighbors.end());
        }
        for (int64_t i = 0; i < k; ++i) {
          indices[row * k + i] = neighbors[static_cast<size_t>(i)].index;
          distances[row * k + i] = static_cast<float>(neighbors[static_cast<size_t>(i)].distance);
        }
      }
    });
  }

 private:
  static Neighbor NeighborAt(const float* point, const float* center, int64_t size, int64_t index) {
    double sum = 0;
    for (int64_t k = 0; k < size; ++k) {
      const double difference = static_cast<double>(point[k]) - static_cast<double>(center[k]);
      sum += difference * difference;
    }
    return std::isfinite(sum) ? Neighbor{sum, sum, index} : FarNeighborAt(point, center, size, index);
  }

  // By |p|² + |c|² − 2pc, which is no number where infinities meet, as in TensorFlow.
  static Neighbor FarNeighborAt(const float* point, const float* center, int64_t size, int64_t index) {
    double of_point = 0, of_center = 0, product = 0;
    for (int64_t k = 0; k < size; ++k) {
      const auto p = static_cast<double>(point[k]), c = static_cast<double>(center[k]);
      of_point += p * p;
      of_center += c * c;
      product += p * c;
    }
    const double rank = of_center / 2 - product;
    return {of_point + 2 * rank, rank, index};
  }
};

constexpr KernelRow kRows[] = {
    {"NearestNeighbors", Make<NearestNeighborsKernel>},
};

}  // namespace

std::span<const KernelRow> ClusteringNearestNeighbors() { return kRows; }

}  // namespace plumb::fast::cpu
