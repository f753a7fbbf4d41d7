// Samples of the gamma distribution by rejection, in double precision whatever the type (R83). Each output has blocks
// of its own.
#include <algorithm>
#include <array>
#include <cmath>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/box_muller.h"
#include "fastpath/cpu/random/samples_for_each.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kMostSamples = int64_t{1} << 40;  // R83

using FirstBlocks = std::array<Philox::Block, 2>;

// Numbers that are made in pairs and used from the back, of the first blocks and those that follow in `generator`.
class Draws {
 public:
  Draws(const FirstBlocks& first, const Philox& generator) : first_(first), generator_(generator) {}
  double Uniform() {
    if (uniforms_ == 0) {
      const Philox::Block words = NextBlock();
      uniform_[0] = UniformDouble(words[0], words[1]);
      uniform_[1] = UniformDouble(words[2], words[3]);
      uniforms_ = 2;
    }
    return uniform_[--uniforms_];
  }
  double Normal() {
    if (normals_ == 0) {
      const Philox::Block words = NextBlock();
      BoxMuller(UniformDouble(words[0], words[1]), UniformDouble(words[2], words[3]), normal_);
      normals_ = 2;
    }
    return normal_[--normals_];
  }

 private:
  Philox::Block NextBlock() { return taken_ < first_.size() ? first_[taken_++] : generator_.Next(); }

  const FirstBlocks& first_;
  size_t taken_ = 0;
  Philox generator_;
  double uniform_[2], normal_[2];
  int uniforms_ = 0, normals_ = 0;
};

// Marsaglia and Tsang.
class GammaDistribution {
 public:
  explicit GammaDistribution(double alpha)
      : alpha_(alpha), d_(alpha + (alpha < 1 ? 2.0 / 3 : -1.0 / 3)), c_(1.0 / 3 / std::sqrt(d_)) {}

  double Draw(Draws& draws) const {
    if (alpha_ == 1) return -std::log1p(-draws.Uniform());
    while (true) {
      const double x = draws.Normal();
      double v = 1 + c_ * x;
      if (v <= 0) continue;
      v = v * v * v;
      const double u = draws.Uniform(), square = x * x;
      // The first test saves most of the logarithms.
      if (u < 1 - 0.0331 * square * square || std::log(u) < 0.5 * square + d_ * (1 - v + std::log(v))) {
        return alpha_ < 1 ? d_ * v * std::pow(draws.Uniform(), 1 / alpha_) : d_ * v;
      }
    }
  }

 private:
  const double alpha_, d_, c_;
};

// Alphas are input kAlpha; `Base` draws.
template <class T, class Base, int kAlpha>
class GammaKernel : public Base {
 public:
  using Base::Base;

  void Run(KernelContext& context) override {
    const Tensor& alpha = context.input(kAlpha);
    const Shape shape = ShapeOfSamples(context.input(0), alpha.shape(), kAlpha > 1);
    Require(kAlpha > 1 || shape.elements() <= kMostSamples, "a result of shape ", shape.ToString(), " is too large");
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    if (kAlpha == 1 && output.elements() == 0) return;
    const Philox start = this->StartFor(context, output.elements());
    if (output.elements() == 0) return;
    const int64_t alphas = alpha.elements(), each = output.elements() / alphas;
    const T* const from = alpha.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    context.pool().ParallelFor(output.elements(), GrainFor(kWork), [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end;) {
        const int64_t which = o / each, last = std::min(end, (which + 1) * each);
        const GammaDistribution distribution(static_cast<double>(from[which]));
        ForPhiloxBlocks<2>(start, kBlocksPerOutput, o, last, [&](int64_t i, const FirstBlocks& first) {
          Philox generator = start;
          generator.Skip(static_cast<uint64_t>(i) * kBlocksPerOutput + first.size());
          Draws draws(first, generator);
          to[i % each * alphas + which] = T(distribution.Draw(draws));
        });
        o = last;
      }
    });
  }

 private:
  static constexpr int64_t kWork = 300;
};

template <class T>
using StepGammaKernel = GammaKernel<T, RandomKernel, 1>;
template <class T>
using SeededGammaKernel = GammaKernel<T, SeededRandomKernel, 2>;
template <class T>
using StatelessGammaKernel = GammaKernel<T, StatelessRandomKernel, 4>;

constexpr KernelRow kRows[] = {
    {"RandomGamma", MakeFor<StepGammaKernel, Types<float, double, Half>>},
    {"StatelessRandomGammaV2", MakeFor<SeededGammaKernel, Types<float, double, Half>>},
    {"StatelessRandomGammaV3", MakeFor<StatelessGammaKernel, Types<float, double, Half>>},
};

}  // namespace

std::span<const KernelRow> RandomGamma() { return kRows; }

}  // namespace plumb::fast::cpu
