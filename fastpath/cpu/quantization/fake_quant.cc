// FakeQuantWithMinMaxArgs and FakeQuantWithMinMaxVars, the latter per channel or not, and their gradients.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/quantization/range_loops.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint gradients_cut("gradients of a range: in one part, or in several");

#define PLUMB_INLINE inline
#include "fastpath/formulas/quantization/fake_quant-inl.h"
#undef PLUMB_INLINE

// The places of channels as the loops read them, which share what is one for all.
class Ranges {
 public:
  explicit Ranges(const std::vector<Places>& channels) : period_(PeriodOf(static_cast<int64_t>(channels.size()))) {
    const auto column = [&](float Places::*member) {
      std::vector<float> numbers;
      for (const Places& places : channels) numbers.push_back(places.*member);
      return Repeated(numbers);
    };
    low_ = column(&Places::low);
    high_ = column(&Places::high);
    scale_ = column(&Places::scale);
    inverse_ = column(&Places::inverse);
    zero_ = column(&Places::zero);
    std::vector<float> is_full;
    for (const Places& places : channels) is_full.push_back(places.empty ? 0.0F : 1.0F);
    is_full_ = Repeated(is_full);
  }

  int64_t period() const { return period_; }
  RangeRow row() const {
    return {period_, low_.data(), high_.data(), scale_.data(), inverse_.data(), zero_.data(), is_full_.data()};
  }
  // How many periods n numbers take, and the numbers [first, first + count) of periods [begin, end).
  int64_t PeriodsIn(int64_t n) const { return (n + period_ - 1) / period_; }
  struct Stretch {
    int64_t first, count;
  };
  Stretch At(int64_t begin, int64_t end, int64_t n) const {
    return {begin * period_, std::min(n, end * period_) - begin * period_};
  }

 private:
  int64_t period_;
  std::vector<float> low_, high_, scale_, inverse_, zero_, is_full_;
};

// y = x at the nearest places of its ranges.
void PutNearest(ThreadPool& pool, const Ranges& ranges, const float* x, float* y, int64_t n) {
  const RangeLoops loops = FindRangeLoops();
  pool.ParallelFor(ranges.PeriodsIn(n), GrainFor(4 * ranges.period()), [&](int64_t begin, int64_t end) {
    const auto [first, count] = ranges.At(begin, end, n);
    loops.nearest(ranges.row(), x + first, y + first, count);
  });
}

// dx = dy where x lies in its range, and zero elsewhere.
void PutInside(ThreadPool& pool, const Ranges& ranges, const float* dy, const float* x, float* dx, int64_t n) {
  const RangeLoops loops = FindRangeLoops();
  pool.ParallelFor(ranges.PeriodsIn(n), GrainFor(2 * ranges.period()), [&](int64_t begin, int64_t end) {
    const auto [first, count] = ranges.At(begin, end, n);
    loops.inside(ranges.row(), dy + first, x + first, dx + first, count);
  });
}

class FakeQuantBase : public Kernel {
 public:
  FakeQuantBase(const Node& node, bool per_channel) : node_(node.name), per_channel_(per_channel) {
    const auto bits = GetAttr<int64_t>(node.attrs, "num_bits");
    Require(bits >= 2 && bits <= 16, "num_bits must be in [2, 16], not ", bits);
    steps_ = {GetAttr<bool>(node.attrs, "narrow_range") ? 1.0F : 0.0F, static_cast<float>((1 << bits) - 1)};
  }

 protected:
  // Places for each channel: one for all where the range is of scalars.
  std::vector<Places> PlacesOf(const Shape& shape, const Tensor& min, const Tensor& max) const {
    if (per_channel_) {
      Require(shape.rank() >= 1, "inputs must have at least one dimension");
      const Shape channels = {shape[shape.rank() - 1]};
      Require(min.shape() == channels && max.shape() == channels, "min and max must have the shape ", Printed(channels),
              ", not ", Printed(min.shape()), " and ", Printed(max.shape()));
    } else {
      Require(min.rank() == 0 && max.rank() == 0, "min and max must be scalars, not of shape ", Printed(min.shape()),
              " and ", Printed(max.shape()));
    }
    std::vector<Places> places;
    for (size_t i = 0; i < static_cast<size_t>(min.elements()); ++i) {
      places.push_back(PlacesFrom(min.data<float>()[i], max.data<float>()[i]));
    }
    return places;
  }

  Places PlacesFrom(float min, float max) const { return PlacesBetween(min, max, steps_); }

 private:
  const std::string node_;
  const bool per_channel_;
  Steps steps_;

 protected:
  const std::string& node() const { return node_; }
};

// The range is that of the attributes.
class FakeQuantArgsBase : public FakeQuantBase {
 public:
  explicit FakeQuantArgsBase(const Node& node) : FakeQuantBase(node, false) {
    const auto min = GetAttr<float>(node.attrs, "min"), max = GetAttr<float>(node.attrs, "max");
    Require(min < max, "min must be less than max, not ", min, " and ", max);
    places_ = PlacesFrom(min, max);
  }

 protected:
  Places places_;
};

class FakeQuantArgs final : public FakeQuantArgsBase {
 public:
  using FakeQuantArgsBase::FakeQuantArgsBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const float* const x = context.input(0).data<float>().data();
    float* const y = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).mutable_data<float>().data();
    PutNearest(context.pool(), Ranges({places_}), x, y, shape.elements());
  }
};

class FakeQuantArgsGradient final : public FakeQuantArgsBase {
 public:
  using FakeQuantArgsBase::FakeQuantArgsBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape == context.input(1).shape(), "gradients and inputs differ in shape: ", Printed(shape), ", ",
            Printed(context.input(1).shape()));
    const float *const dy = context.input(0).data<float>().data(), *const x = context.input(1).data<float>().data();
    float* const dx = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).mutable_data<float>().data();
    PutInside(context.pool(), Ranges({places_}), dy, x, dx, shape.elements());
  }
};

class FakeQuantVars : public FakeQuantBase {
 public:
  using FakeQuantBase::FakeQuantBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const std::vector<Places> places = PlacesOf(shape, context.input(1), context.input(2));
    const float* const x = context.input(0).data<float>().data();
    Tensor& output = context.ForwardOrAllocate(0, 0, DType::kFloat, shape);
    float* const y = output.mutable_data<float>().data();
    if (places.size() == 1 && places[0].empty) return FillZero(context.pool(), output);
    PutNearest(context.pool(), Ranges(places), x, y, shape.elements());
  }
};

class FakeQuantVarsGradient : public FakeQuantBase {
 public:
  using FakeQuantBase::FakeQuantBase;

  void Run(KernelContext& context) override {
    const Shape& shape = context.input(1).shape();
    Require(context.input(0).shape() == shape,
            "gradients and inputs differ in shape: ", Printed(context.input(0).shape()), ", ", Printed(shape));
    const std::vector<Places> places = PlacesOf(shape, context.input(2), context.input(3));
    const Ranges ranges(places);
    const auto channels = static_cast<int64_t>(places.size());
    const int64_t period = ranges.period(), each = std::max<int64_t>(1, kElementsPerPart / period) * period;
    const int64_t n = shape.elements(), parts = std::max<int64_t>(1, (n + each - 1) / each);
    gradients_cut.Chosen(parts > 1);
    const float *const dy = context.input(0).data<float>().data(), *const x = context.input(1).data<float>().data();
    float* const dx = context.AllocateOutput(0, DType::kFloat, shape).mutable_data<float>().data();
    PutInside(context.pool(), ranges, dy, x, dx, n);
    std::vector<float> partial(static_cast<size_t>(parts * 2 * channels), 0.0F), sums(2 * places.size());
    const bool is_empty = channels == 1 && places[0].empty;
    if (!is_empty && n > 0) PutPartialSums(context.pool(), ranges, dy, x, n, each, partial);
    SumParts(context.pool(), partial.data(), parts, 2 * channels, sums.data());
    const Shape range = context.input(2).shape();
    std::copy_n(sums.begin(), channels, context.AllocateOutput(1, DType::kFloat, range).mutable_data<float>().begin());
    std::copy_n(sums.begin() + channels, channels,
                context.AllocateOutput(2, DType::kFloat, range).mutable_data<float>().begin());
  }

 private:
  // Of each part below, then above, of each channel.
  static void PutPartialSums(ThreadPool& pool, const Ranges& ranges, const float* dy, const float* x, int64_t n,
                             int64_t each, std::vector<float>& partial) {
    const RangeLoops loops = FindRangeLoops();
    const int64_t parts = (n + each - 1) / each, period = ranges.period();
    const int64_t ends = static_cast<int64_t>(partial.size()) / parts, channels = ends / 2;
    pool.ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t first = part * each, count = std::min(n - first, each);
        std::vector<float> below(static_cast<size_t>(period)), above(below.size());
        loops.outside(ranges.row(), dy + first, x + first, count, below.data(), above.data());
        float* const sums = partial.data() + part * ends;
        for (int64_t i = 0; i < period; ++i) {
          sums[i % channels] += below[static_cast<size_t>(i)];
          sums[channels + i % channels] += above[static_cast<size_t>(i)];
        }
      }
    });
  }

  static constexpr int64_t kElementsPerPart = 4096;  // sums are added up in parts, and these in order
};

constexpr KernelRow kRows[] = {
    {"FakeQuantWithMinMaxArgs", Make<FakeQuantArgs>},
    {"FakeQuantWithMinMaxArgsGradient", Make<FakeQuantArgsGradient>},
    {"FakeQuantWithMinMaxVars", MakeWith<FakeQuantVars, false>},
    {"FakeQuantWithMinMaxVarsGradient", MakeWith<FakeQuantVarsGradient, false>},
    {"FakeQuantWithMinMaxVarsPerChannel", MakeWith<FakeQuantVars, true>},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", MakeWith<FakeQuantVarsGradient, true>},
};

}  // namespace

std::span<const KernelRow> QuantizationFakeQuant() { return kRows; }

}  // namespace plumb::fast::cpu
