// Where k-means begins: candidates by a Markov chain, or rows drawn by their distances from those before. One seed
// starts the generator, whose words are taken one at a time (R80).
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

#include "fastpath/cpu/clustering/chain_words.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"

namespace plumb::fast::cpu {
namespace {

Philox GeneratorFrom(int64_t seed) { return Philox(static_cast<uint64_t>(seed), 0); }

int64_t ScalarInput(KernelContext& context, int i, const char* name) {
  const Tensor& tensor = context.input(i);
  Require(tensor.rank() == 0, name, " must be a scalar, not of shape ", Printed(tensor.shape()));
  return tensor.data<int64_t>()[0];
}

class MarkovChainKernel : public Kernel {
 public:
  explicit MarkovChainKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    Require(input.rank() == 1, "distances must be a vector, not of shape ", Printed(input.shape()));
    Philox generator = GeneratorFrom(ScalarInput(context, 1, "seed"));
    const auto distances = input.data<float>();
    Require(!distances.empty(), "there are no distances");
    size_t selected = 0;
    float distance = distances[0];  // of the one selected; each step waits for it, so that it is not looked up
    ChainWords words;
    for (size_t i = 1; i < distances.size();) {
      TakeWords(generator, words);
      const size_t end = std::min(distances.size(), i + words.size());
      for (size_t word = 0; i < end; ++i, ++word) {
        const bool is_next = distances[i] > UniformFloat(words[word]) * distance;
        selected = is_next ? i : selected;
        distance = is_next ? distances[i] : distance;
      }
    }
    context.AllocateOutput(0, DType::kInt64, Shape()).mutable_data<int64_t>()[0] = static_cast<int64_t>(selected);
  }
};

// Rows of a matrix and how far each is from the nearest one that was drawn.
class PointDraws {
 public:
  PointDraws(const Tensor& points, int64_t seed)
      : points_(points.data<float>().data()), rows_(points.dim(0)), size_(points.dim(1)), words_(GeneratorFrom(seed)) {}

  // The best of so many tries: the row that leaves the least sum of distances; where no sum is below infinity, the
  // first row, which changes no distance. The last row, drawn at the first try, needs none.
  int64_t Next(ThreadPool& pool, int64_t tries, bool is_last) {
    if (is_last && tries == 1) return Draw();
    if (drawn_.empty()) {
      nearest_.assign(static_cast<size_t>(rows_), std::numeric_limits<double>::infinity());
      sums_.resize(nearest_.size());
    }
    std::vector<double> best = nearest_, distances(nearest_.size());
    double least = std::numeric_limits<double>::infinity();
    int64_t selected = 0;
    for (int64_t i = 0; i < tries; ++i) {
      const int64_t row = Draw();
      const double sum = DistancesFrom(pool, row, distances);
      if (tries > 1 && !(sum < least)) continue;
      least = sum;
      selected = row;
      best.swap(distances);
    }
    drawn_.insert(selected);
    nearest_.swap(best);
    double sum = 0;
    for (size_t i = 0; i < sums_.size(); ++i) sums_[i] = sum += nearest_[i];
    return selected;
  }

 private:
  int64_t Draw() {
    if (drawn_.empty()) return static_cast<int64_t>(UniformBelow64(words_, static_cast<uint64_t>(rows_)));
    constexpr int kMostTries = 1000000;
    for (int tries = 0; tries < kMostTries; ++tries) {
      const double wanted = static_cast<double>(UniformFloat(words_.Next())) * sums_.back();
      const int64_t row = std::upper_bound(sums_.begin(), sums_.end(), wanted) - sums_.begin();
      if (!drawn_.contains(row)) return std::min(row, rows_ - 1);
    }
    throw InvalidArgument("no point is left that is away from those drawn before");
  }

  // Returns their sum, in the order of the rows.
  double DistancesFrom(ThreadPool& pool, int64_t row, std::vector<double>& distances) const {
    const float* const center = points_ + row * size_;
    pool.ParallelFor(rows_, GrainFor(2 * size_ + 4), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* const point = points_ + i * size_;
        double sum = 0;
        for (int64_t k = 0; k < size_; ++k) {
          const double difference = static_cast<double>(point[k]) - static_cast<double>(center[k]);
          sum += difference * difference;
        }
        distances[static_cast<size_t>(i)] = std::min(nearest_[static_cast<size_t>(i)], sum);
      }
    });
    double sum = 0;
    for (const double distance : distances) sum += distance;
    return sum;
  }

  const float* const points_;
  const int64_t rows_, size_;
  PhiloxWords words_;
  std::vector<double> nearest_, sums_;
  std::unordered_set<int64_t> drawn_;
};

class PlusPlusKernel : public Kernel {
 public:
  explicit PlusPlusKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& points = context.input(0);
    Require(points.rank() == 2, "points must be a matrix, not of shape ", Printed(points.shape()));
    const int64_t count = ScalarInput(context, 1, "num_to_sample");
    const int64_t seed = ScalarInput(context, 2, "seed");
    const int64_t retries = ScalarInput(context, 3, "num_retries_per_sample");
    const int64_t rows = points.dim(0), size = points.dim(1);
    Require(rows > 0 && count > 0 && count <= rows, "num_to_sample must be from 1 to the number of points: it is ",
            count, ", and there are ", rows);
    Require(retries <= kMostRetries, "num_retries_per_sample is ", retries, ", more than ", kMostRetries);
    const int64_t tries = 1 + (retries >= 0 ? retries : 2 + static_cast<int64_t>(std::log(static_cast<double>(count))));
    float* to = context.AllocateOutput(0, DType::kFloat, Shape({count, size})).mutable_data<float>().data();
    const float* const from = points.data<float>().data();
    PointDraws draws(points, seed);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = draws.Next(context.pool(), tries, i + 1 == count);
      to = std::copy(from + row * size, from + (row + 1) * size, to);
    }
  }

 private:
  static constexpr int64_t kMostRetries = int64_t{1} << 20;
};

constexpr KernelRow kRows[] = {
    {"KMC2ChainInitialization", Make<MarkovChainKernel>},
    {"KmeansPlusPlusInitialization", Make<PlusPlusKernel>},
};

}  // namespace

std::span<const KernelRow> ClusteringSeeding() { return kRows; }

}  // namespace plumb::fast::cpu
