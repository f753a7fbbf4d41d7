// FakeQuantWithMinMaxArgs and FakeQuantWithMinMaxVars, the latter per channel or not, and their gradients.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint gradients_cut("gradients of a range: in one part, or in several");

#define PLUMB_INLINE inline
#include "fastpath/formulas/quantization/fake_quant-inl.h"
#undef PLUMB_INLINE

class FakeQuantBase : public Kernel {
 public:
  FakeQuantBase(const Node& node, bool per_channel) : node_(node.name), per_channel_(per_channel) {
    const auto bits = GetAttr<int64_t>(node.attrs, "num_bits");
    Require(bits >= 2 && bits <= 16, "node ", node_, ": num_bits must be in [2, 16], not ", bits);
    steps_ = {GetAttr<bool>(node.attrs, "narrow_range") ? 1.0F : 0.0F, static_cast<float>((1 << bits) - 1)};
  }

 protected:
  // Places for each channel: one for all where the range is of scalars.
  std::vector<Places> PlacesOf(const Shape& shape, const Tensor& min, const Tensor& max) const {
    if (per_channel_) {
      Require(shape.rank() >= 1, "node ", node_, ": inputs must have at least one dimension");
      const Shape channels = {shape[shape.rank() - 1]};
      Require(min.shape() == channels && max.shape() == channels, "node ", node_, ": min and max must have the shape ",
              Printed(channels), ", not ", Printed(min.shape()), " and ", Printed(max.shape()));
    } else {
      Require(min.rank() == 0 && max.rank() == 0, "node ", node_, ": min and max must be scalars, not of shape ",
              Printed(min.shape()), " and ", Printed(max.shape()));
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
class ArgsBase : public FakeQuantBase {
 public:
  explicit ArgsBase(const Node& node) : FakeQuantBase(node, false) {
    const auto min = GetAttr<float>(node.attrs, "min"), max = GetAttr<float>(node.attrs, "max");
    Require(min < max, "node ", node.name, ": min must be less than max, not ", min, " and ", max);
    places_ = PlacesFrom(min, max);
  }

 protected:
  Places places_;
};

class ArgsKernel final : public ArgsBase {
 public:
  using ArgsBase::ArgsBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const float* const x = context.input(0).data<float>().data();
    float* const y = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).mutable_data<float>().data();
    context.pool().ParallelFor(shape.elements(), GrainFor(4), [&, places = places_](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) y[i] = places.Nearest(x[i]);
    });
  }
};

class ArgsGradientKernel final : public ArgsBase {
 public:
  using ArgsBase::ArgsBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape == context.input(1).shape(), "node ", node(),
            ": gradients and inputs differ in shape: ", Printed(shape), ", ", Printed(context.input(1).shape()));
    const float *const dy = context.input(0).data<float>().data(), *const x = context.input(1).data<float>().data();
    float* const dx = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).mutable_data<float>().data();
    context.pool().ParallelFor(shape.elements(), GrainFor(2), [&, places = places_](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) dx[i] = dy[i] * places.Inside(x[i]);
    });
  }
};

class FakeQuantKernel : public FakeQuantBase {
 public:
  using FakeQuantBase::FakeQuantBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const std::vector<Places> places = PlacesOf(shape, context.input(1), context.input(2));
    const float* const x = context.input(0).data<float>().data();
    Tensor& output = context.ForwardOrAllocate(0, 0, DType::kFloat, shape);
    float* const y = output.mutable_data<float>().data();
    const auto channels = static_cast<int64_t>(places.size());
    if (output.elements() == 0) return;
    context.pool().ParallelFor(output.elements() / channels, GrainFor(4 * channels), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin * channels; row < end * channels; row += channels) {
        for (int64_t c = 0; c < channels; ++c) y[row + c] = places[c].Nearest(x[row + c]);
      }
    });
  }
};

class FakeQuantGradientKernel : public FakeQuantBase {
 public:
  using FakeQuantBase::FakeQuantBase;

  void Run(KernelContext& context) override {
    const Shape& shape = context.input(1).shape();
    Require(context.input(0).shape() == shape, "node ", node(),
            ": gradients and inputs differ in shape: ", Printed(context.input(0).shape()), ", ", Printed(shape));
    const std::vector<Places> places = PlacesOf(shape, context.input(2), context.input(3));
    const auto channels = static_cast<int64_t>(places.size());
    const int64_t rows = channels == 0 ? 0 : shape.elements() / channels;
    const int64_t rows_each = std::max<int64_t>(1, kElementsPerPart / std::max<int64_t>(1, channels));
    const int64_t parts = std::max<int64_t>(1, (rows + rows_each - 1) / rows_each);
    gradients_cut.Chosen(parts > 1);
    Tensor& output = context.AllocateOutput(0, DType::kFloat, shape);
    const float *const dy = context.input(0).data<float>().data(), *const x = context.input(1).data<float>().data();
    float* const dx = output.mutable_data<float>().data();
    std::vector<float> partial(static_cast<size_t>(parts * 2 * channels), 0.0F), sums(2 * places.size());
    context.pool().ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        float *const below = partial.data() + part * 2 * channels, *const above = below + channels;
        for (int64_t row = part * rows_each; row < std::min(rows, (part + 1) * rows_each); ++row) {
          const int64_t at = row * channels;
          for (int64_t c = 0; c < channels; ++c) {
            const float gradient = dy[at + c], input = x[at + c];
            dx[at + c] = gradient * places[c].Inside(input);
            if (places[c].empty) continue;
            below[c] += gradient * places[c].Below(input);
            above[c] += gradient * places[c].Above(input);
          }
        }
      }
    });
    SumParts(context.pool(), partial.data(), parts, 2 * channels, sums.data());
    const Shape range = context.input(2).shape();
    std::copy_n(sums.begin(), channels, context.AllocateOutput(1, DType::kFloat, range).mutable_data<float>().begin());
    std::copy_n(sums.begin() + channels, channels,
                context.AllocateOutput(2, DType::kFloat, range).mutable_data<float>().begin());
  }

 private:
  static constexpr int64_t kElementsPerPart = 4096;  // sums are added up in parts, and these in order
};

constexpr KernelRow kRows[] = {
    {"FakeQuantWithMinMaxArgs", Make<ArgsKernel>},
    {"FakeQuantWithMinMaxArgsGradient", Make<ArgsGradientKernel>},
    {"FakeQuantWithMinMaxVars", MakeWith<FakeQuantKernel, false>},
    {"FakeQuantWithMinMaxVarsGradient", MakeWith<FakeQuantGradientKernel, false>},
    {"FakeQuantWithMinMaxVarsPerChannel", MakeWith<FakeQuantKernel, true>},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", MakeWith<FakeQuantGradientKernel, true>},
};

}  // namespace

std::span<const KernelRow> QuantizationFakeQuant() { return kRows; }

}  // namespace plumb::fast::cpu
