// Where k-means begins: candidates by a Markov chain, or rows drawn by their distances from those before. One seed
// starts the generator, whose words are taken one at a time (R80).
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

PhiloxWords WordsFrom(int64_t seed) { return PhiloxWords(Philox(static_cast<uint64_t>(seed), 0)); }

void MarkovChain(OpContext& c) {
  Require(c.tensor(0).rank() == 1, "distances must be a vector, not of shape ", c.tensor(0).shape().ToString());
  PhiloxWords words = WordsFrom(ScalarOf(c.tensor(1), "seed"));
  const auto distances = c.tensor(0).data<float>();
  Require(!distances.empty(), "there are no distances");
  size_t selected = 0;
  for (size_t i = 1; i < distances.size(); ++i) {
    if (distances[i] > UniformFloat(words.Next()) * distances[selected]) selected = i;
  }
  c.Output(0, MakeScalar<int64_t>(static_cast<int64_t>(selected)));
}

constexpr int64_t kMostRetries = int64_t{1} << 20;

using Distances = std::vector<double>;

double SquaredDistance(std::span<const float> points, int64_t size, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < size; ++k) {
    const double difference = static_cast<double>(points[static_cast<size_t>(i * size + k)]) -
                              static_cast<double>(points[static_cast<size_t>(j * size + k)]);
    sum += difference * difference;
  }
  return sum;
}

// Rows with a probability proportional to their distances, those that were drawn before excepted.
int64_t DrawRow(PhiloxWords& words, const Distances& distances, const std::set<int64_t>& drawn) {
  const auto rows = std::ssize(distances);
  if (drawn.empty()) return static_cast<int64_t>(UniformBelow64(words, static_cast<uint64_t>(rows)));
  Distances sums;
  double sum = 0;
  for (const double distance : distances) sums.push_back(sum += distance);
  for (int tries = 0; tries < 1000000; ++tries) {
    const double wanted = static_cast<double>(UniformFloat(words.Next())) * sum;
    const int64_t row = std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin();
    if (!drawn.contains(row)) return std::min(row, rows - 1);
  }
  throw InvalidArgument("no point is left that is away from those drawn before");
}

void PlusPlus(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 2, "points must be a matrix, not of shape ", shape.ToString());
  const int64_t count = ScalarOf(c.tensor(1), "num_to_sample"), asked = ScalarOf(c.tensor(3), "num_retries_per_sample");
  PhiloxWords words = WordsFrom(ScalarOf(c.tensor(2), "seed"));
  const int64_t rows = shape.dim(0), size = shape.dim(1);
  Require(rows > 0 && count > 0 && count <= rows, "num_to_sample must be from 1 to the number of points: it is ", count,
          ", and there are ", rows);
  Require(asked <= kMostRetries, "num_retries_per_sample must be at most 2^20, not ", asked);
  const int64_t retries = asked >= 0 ? asked : 2 + static_cast<int64_t>(std::log(static_cast<double>(count)));
  const auto points = c.tensor(0).data<float>();
  Distances nearest(static_cast<size_t>(rows), INFINITY);
  std::set<int64_t> drawn;
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) {
    // Of several tries one counts whose sum is below infinity. Where none does, it is the first row, as in TensorFlow,
    // which is then left with distances that it never wrote; here they stay.
    double least = INFINITY;
    int64_t best = 0;
    Distances best_distances = nearest;
    for (int64_t attempt = 0; attempt <= retries; ++attempt) {
      const int64_t row = DrawRow(words, nearest, drawn);
      Distances distances = nearest;
      double sum = 0;
      for (int64_t j = 0; j < rows; ++j) {
        double& distance = distances[static_cast<size_t>(j)];
        distance = std::min(distance, SquaredDistance(points, size, j, row));
        sum += distance;
      }
      if (retries > 0 && !(sum < least)) continue;
      least = sum;
      best = row;
      best_distances = std::move(distances);
    }
    drawn.insert(best);
    nearest = std::move(best_distances);
    for (int64_t k = 0; k < size; ++k) positions.push_back(best * size + k);
  }
  c.Output(0, Gathered(c.input(0), {count, size}, positions));
}

constexpr KernelRow kRows[] = {
    {"KMC2ChainInitialization", MarkovChain},
    {"KmeansPlusPlusInitialization", PlusPlus},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ClusteringSeeding() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
