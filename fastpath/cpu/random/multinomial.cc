// Classes drawn by the logarithms of their weights (R79), row by row of the logits.
#include "fastpath/formulas/random/multinomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
constexpr double kLeast = -static_cast<double>(std::numeric_limits<T>::max());
template <>
constexpr double kLeast<Half> = -65504;

// Running sums of exp(logit − the largest), which what is not finite adds nothing to.
template <class T>
void AddUpWeights(const T* logits, std::vector<double>& sums) {
  double largest = kLeast<T>;
  const auto at = [logits](size_t j) { return static_cast<double>(logits[j]); };
  for (size_t j = 0; j < sums.size(); ++j) {
    if (std::isfinite(at(j))) largest = std::max(largest, at(j));
  }
  double sum = 0;
  for (size_t j = 0; j < sums.size(); ++j) {
    if (std::isfinite(at(j))) sum += std::exp(at(j) - largest);
    sums[j] = sum;
  }
}

// A row takes two words for each of its samples, from where the row before it ended.
template <class T, class Out>
void Draw(ThreadPool& pool, const Philox& start, const Tensor& logits, Tensor& output) {
  const int64_t rows = output.dim(0), samples = output.dim(1), classes = logits.dim(1);
  const T* const from = logits.data<T>().data();
  Out* const to = output.mutable_data<Out>().data();
  pool.ParallelFor(rows, GrainFor(64 * classes + 128 * samples), [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(classes));
    const uint64_t used = static_cast<uint64_t>(begin) * static_cast<uint64_t>(samples) * 2;
    Philox generator = start;
    generator.Skip(used / 4);
    PhiloxWords words(generator);
    for (uint64_t i = 0; i < used % 4; ++i) words.Next();
    for (int64_t row = begin; row < end; ++row) {
      AddUpWeights(from + row * classes, sums);
      for (int64_t i = 0; i < samples; ++i) {
        const uint32_t low = words.Next(), high = words.Next();
        const auto found = std::upper_bound(sums.begin(), sums.end(), UniformDouble(low, high) * sums.back());
        to[row * samples + i] = static_cast<Out>(found - sums.begin());
      }
    }
  });
}

// Checks the arguments and makes room for the result.
Tensor& Prepared(KernelContext& context, DType type) {
  return context.AllocateOutput(0, type, ShapeOfSamples(context.input(0).shape(), context.input(1)));
}

void DrawFrom(KernelContext& context, const Philox& start, Tensor& output) {
  const Tensor& logits = context.input(0);
  VisitOneOf(Types<float, double, Half>(), logits.dtype(), false, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return VisitOneOf(IndexTypes(), output.dtype(), false, [&](auto out) {
      Draw<T, typename decltype(out)::Type>(context.pool(), start, logits, output);
      return true;
    });
  });
}

class MultinomialKernel : public RandomKernel {
 public:
  explicit MultinomialKernel(const Node& node) : RandomKernel(node), type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    Tensor& output = Prepared(context, type_);
    if (output.elements() == 0) return;
    DrawFrom(context, stream_.Reserve(OutputsTaken(output.shape()) * kBlocksPerOutput), output);
  }

 private:
  const DType type_;
};

class StatelessMultinomialKernel : public Kernel {
 public:
  explicit StatelessMultinomialKernel(const Node& node) : type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    Tensor& output = Prepared(context, type_);
    const Philox::Block words = ScrambledSeed(context.input(2)).Next();
    if (output.elements() == 0) return;
    const auto joined = [](uint32_t low, uint32_t high) { return low | static_cast<uint64_t>(high) << 32; };
    DrawFrom(context, PhiloxAt(joined(words[0], words[1]), 0, joined(words[2], words[3])), output);
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"Multinomial", Make<MultinomialKernel>},
    {"StatelessMultinomial", Make<StatelessMultinomialKernel>},
};

}  // namespace

std::span<const KernelRow> RandomMultinomial() { return kRows; }

}  // namespace plumb::fast::cpu
