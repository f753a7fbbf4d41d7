// Samples of the gamma distribution by rejection, in double precision whatever the type (R83).
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/random/gamma_slope.h"
#include "reference/ops/random/random_normal.h"
#include "reference/ops/random/samples_for_each.h"

namespace plumb::reference {
namespace {

constexpr int64_t kMostSamples = int64_t{1} << 40;  // R83

// Pairs of doubles, which are used from the back.
class Draws {
 public:
  explicit Draws(Philox generator) : generator_(generator) {}
  double Uniform() {
    if (uniforms_ == 0) {
      const Philox::Block w = generator_.Next();
      uniform_[0] = UniformDouble(w[0], w[1]);
      uniform_[1] = UniformDouble(w[2], w[3]);
      uniforms_ = 2;
    }
    return uniform_[--uniforms_];
  }
  Real Normal() {
    if (normals_ == 0) {
      const Philox::Block w = generator_.Next();
      normal_ = NormalsFromWords(w[0], w[1], w[2], w[3]);
      normals_ = 2;
    }
    return --normals_ == 1 ? normal_.second : normal_.first;
  }

 private:
  Philox generator_;
  double uniform_[2] = {};
  Normals normal_;
  int uniforms_ = 0, normals_ = 0;
};

// Marsaglia and Tsang: d·v for v = (1 + c·x)³.
Real Sample(double alpha, Draws& draws) {
  if (alpha == 1) return -Log1p(Real(-draws.Uniform()));
  const bool below_one = alpha < 1;
  const Real d = Real(alpha) + Real(below_one ? 2.0 / 3 : -1.0 / 3), c = Real(1.0 / 3) / Sqrt(d);
  while (true) {
    const Real x = draws.Normal();
    const Real root = Real(1) + c * x;
    if (root.v <= 0) continue;
    const Real v = root * root * root;
    const double u = draws.Uniform(), square = x.v * x.v;
    if (u < 1 - 0.0331 * square * square || std::log(u) < 0.5 * square + d.v * (1 - v.v + std::log(v.v))) {
      return below_one ? d * v * Pow(Real(draws.Uniform()), Real(1) / Real(alpha)) : d * v;
    }
  }
}

void FillWithSamples(OpContext& c, const Shape& shape, const Value& alphas, const Philox& start) {
  ForKind<Real>(c.output_type(0), [&](auto) {
    auto output = MakeArray<Real>(c.output_type(0), shape);
    if (output.at.empty()) return c.Output(0, Store(output));
    const Reader<Real> alpha(alphas);
    const int64_t each = shape.elements() / alpha.size();
    ComputeNormalsIn(DType::kDouble);
    for (int64_t o = 0; o < shape.elements(); ++o) {
      const int64_t which = o / each;
      Philox generator = start;
      generator.Skip(kBlocksPerOutput * static_cast<uint64_t>(o));
      Draws draws(generator);
      Real sample = Sample(alpha[which].v, draws);
      if (alpha[which].e > 0) sample.e = INFINITY;
      if (alpha[which].d != 0) sample.d = GammaSampleSlope(alpha[which].v, sample.v).v * alpha[which].d;
      output[o % each * alpha.size() + which] = sample;
    }
    c.Output(0, Store(output));
  });
}

void RandomGamma(OpContext& c) {
  const Shape wanted = Concatenated(ShapeOf(c.tensor(0), "shape"), c.tensor(1).shape());
  Require(wanted.elements() <= kMostSamples, "a result of shape ", wanted.ToString(), " is too large");
  const Shape shape = SamplesOfEach(c, c.tensor(1).shape());
  FillWithSamples(c, shape, c.input(1), OwnGenerator(c, static_cast<uint64_t>(shape.elements())));
}

template <GeneratorOf kGenerator, int kAlpha>
void StatelessRandomGamma(OpContext& c) {
  const Shape shape = WholeShapeOfSamples(c, c.tensor(kAlpha).shape());
  FillWithSamples(c, shape, c.input(kAlpha), kGenerator(c, static_cast<uint64_t>(shape.elements())));
}

constexpr KernelRow kRows[] = {
    {"RandomGamma", RandomGamma},
    {"StatelessRandomGammaV2", StatelessRandomGamma<ScrambledGenerator, 2>},
    {"StatelessRandomGammaV3", StatelessRandomGamma<GivenGenerator, 4>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomGamma() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
