// Classes drawn by the logarithms of their weights (R79), with the words of the CPU.
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "fastpath/formulas/random/multinomial.h"
#include "fastpath/gpu/lib/random.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A team for each row: exp(logit - the largest), and 0 for what is not finite.
template <class T>
PLUMB_GPU_KERNEL WeighLoop(Global<const T> logits, int64_t classes, Teams teams, Global<double> weights) {
  PLUMB_GPU_SHARED(double, shared, kWarpsOfTeams);
  const int64_t first = teams.Row() * classes;
  const bool is_row = first < weights.size;
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = teams.Lane(); is_row && i < classes; i += teams.lanes) {
    const double logit = Computed<T>::Load(logits[first + i]);
    if (IsFiniteOf(logit) && logit > largest) largest = logit;
  }
  largest = MergeTeam<double>(teams, largest, shared, LargerOf());
  for (int64_t i = teams.Lane(); is_row && i < classes; i += teams.lanes) {
    const double logit = Computed<T>::Load(logits[first + i]);
    weights[first + i] = IsFiniteOf(logit) ? std::exp(logit - largest) : 0.0;
  }
}

// A thread for each row, which adds up in the order of the classes.
PLUMB_GPU_KERNEL AddUpLoop(int64_t classes, Global<double> weights) {
  for (int64_t row = First(); row < weights.size / classes; row += Stride()) {
    double sum = 0;
    for (int64_t i = row * classes; i < (row + 1) * classes; ++i) {
      sum += weights[i];
      weights[i] = sum;
    }
  }
}

// The first class up to which the weights add up to more than two words of the generator say.
template <class Out>
PLUMB_GPU_KERNEL PickLoop(RandomStart start, Global<const double> sums, int64_t classes, int64_t samples,
                          Global<Out> out) {
  const Philox first = start.Generator();
  for (int64_t i = First(); i < out.size; i += Stride()) {
    Philox generator = first;
    generator.Skip(static_cast<uint64_t>(i) / 2);
    const Philox::Block words = generator.Next();
    const int64_t row = i / samples * classes;
    const double wanted = UniformDouble(words[i % 2 * 2], words[i % 2 * 2 + 1]) * sums[row + classes - 1];
    int64_t low = 0, high = classes;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (wanted < sums[row + middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    out[i] = static_cast<Out>(low);
  }
}

template <class T>
Tensor RunningWeights(GpuContext& context) {
  const Tensor& logits = context.input(0);
  const int64_t rows = logits.dim(0), classes = logits.dim(1);
  Tensor weights = context.Scratch(DType::kDouble, logits.shape());
  const Teams teams = Teams::ForRowsOf(classes);
  Launch(context.stream(), teams.Grid(rows), WeighLoop<T>, context.In<T>(0), classes, teams,
         context.ViewOf<double>(weights));
  Launch(context.stream(), LoopOver(rows), AddUpLoop, classes, context.ViewOf<double>(weights));
  return weights;
}

// Where the words come from: a stream of the node's own, or two seeds, input 2.
class OwnSamples {
 public:
  explicit OwnSamples(const Node& node) : stream_(node) {}
  HeldStart StartFor(GpuContext& context, const Shape& samples) {
    return stream_.StartFor(context, static_cast<int64_t>(OutputsTaken(samples)));
  }
  void Save(const StateWriter& writer) const { stream_.Save(writer); }
  void Restore(const StateReader& reader) { stream_.Restore(reader); }

 private:
  OwnStream stream_;
};
class SeededSamples {
 public:
  explicit SeededSamples(const Node&) {}
  HeldStart StartFor(GpuContext& context, const Shape&) { return StartOfSeeds(context, context.input(2)); }
  void Save(const StateWriter&) const {}
  void Restore(const StateReader&) {}
};

template <class T, class Samples>
class Multinomial final : public GpuKernel {
 public:
  explicit Multinomial(const Node& node) : samples_(node) {}
  void Run(GpuContext& context) override {
    const Shape shape = ShapeOfSamples(context.input(0).shape(), context.input(1));
    Tensor output = context.AllocateOutput(0, shape);
    Tensor sums;
    if (shape.elements() > 0) sums = RunningWeights<T>(context);
    const HeldStart from = samples_.StartFor(context, shape);
    if (shape.elements() == 0) return;
    const auto pick = [&](auto tag) {
      using Out = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(shape.elements()), PickLoop<Out>, from.start,
             context.ViewOf<double>(std::as_const(sums)), sums.dim(1), shape[1], context.ViewOf<Out>(output));
      return true;
    };
    ForType(context.node(), output.dtype(), TypeList<int32_t, int64_t>(), pick);
  }
  void Save(const StateWriter& writer) const override { samples_.Save(writer); }
  void Restore(const StateReader& reader) override { samples_.Restore(reader); }

 private:
  Samples samples_;
};

template <class Samples>
std::unique_ptr<GpuKernel> MakeMultinomial(const Node& node) {
  return ForType(node, node.input_types[0], TypeList<float, double, Half>(),
                 [&](auto tag) -> std::unique_ptr<GpuKernel> {
                   return std::make_unique<Multinomial<typename decltype(tag)::Type, Samples>>(node);
                 });
}

constexpr GpuKernelRow kRows[] = {
    {"Multinomial", MakeMultinomial<OwnSamples>},
    {"StatelessMultinomial", MakeMultinomial<SeededSamples>},
};

}  // namespace

std::span<const GpuKernelRow> RandomMultinomial() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
