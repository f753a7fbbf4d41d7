// Requantize, RequantizationRange, and both at once: 32-bit codes, brought to 8 bits in another range.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint in_parts("least and greatest code: in one part, or in several");

// Codes of [min, max] to quint8 of [low, high], with 16 bits behind the point; modulo 2^64.
class FixedPoint {
 public:
  FixedPoint(float min, float max, float low, float high) {
    const float range = Normal(Normal(high) - Normal(low));
    const bool is_point = range == 0;
    const float per_unit = is_point ? 0.0F : static_cast<float>(255.0 / static_cast<double>(range));
    const auto middle = static_cast<float>(static_cast<double>(min + max) / 2);
    const double input = static_cast<double>(max - min), output = static_cast<double>(range);
    scale_ = is_point ? 0 : Unsigned(255.0 * 65536 * input / output);
    const uint64_t first = is_point ? 0 : Unsigned(65536 * (static_cast<double>(low) * 255.0) / output);
    shift_ = Unsigned(static_cast<double>(middle * per_unit * 65536.0F)) - first + 32768;
  }
  // The code is rounded to float32 on its way.
  uint8_t operator()(int32_t code) const {
    const uint64_t product = static_cast<uint64_t>(static_cast<int64_t>(static_cast<float>(code))) * scale_;
    const uint64_t fixed = static_cast<uint64_t>(static_cast<int64_t>(product) >> 32) + shift_;
    return static_cast<uint8_t>(std::clamp<int64_t>(static_cast<int64_t>(fixed) >> 16, 0, 255));
  }

 private:
  static uint64_t Unsigned(double x) { return static_cast<uint64_t>(Truncated<int64_t>(x)); }
  uint64_t scale_, shift_;
};

// Codes of 32 bits, each replaced by a code of the type Q.
template <class Q, class F>
void Recode(KernelContext& context, const F& code_of) {
  const Tensor& input = context.input(0);
  const Qint32* const from = input.data<Qint32>().data();
  Q* const to = context.AllocateOutput(0, DTypeOf<Q>, input.shape()).template mutable_data<Q>().data();
  context.pool().ParallelFor(input.elements(), GrainFor(4), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i].value = code_of(from[i].value);
  });
}

class RequantizeKernel final : public Kernel {
 public:
  explicit RequantizeKernel(const Node& node) : dtype_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    const float low = ScalarFloat(context, 3), high = ScalarFloat(context, 4);
    Require(low <= 0, "requested_output_min must not be above 0: ", low);
    Require(high >= low, "requested_output_max must not be below requested_output_min: ", high, " < ", low);
    if (dtype_ == DType::kQuint8) {
      Recode<Quint8>(context, FixedPoint(min, max, low, high));
    } else {
      const CodeLine<int32_t> number_of(min, max);
      const NearestCode<int8_t> nearest(low, high);
      Recode<Qint8>(context, [&](int32_t code) { return nearest(number_of(code)); });
    }
    OutputFloat(context, 1, low);
    OutputFloat(context, 2, high);
  }

 private:
  const DType dtype_;
};

struct Extremes {
  int32_t least = std::numeric_limits<int32_t>::max(), most = std::numeric_limits<int32_t>::min();
  void Add(int32_t low, int32_t high) {
    least = std::min(least, low);
    most = std::max(most, high);
  }
};

Extremes ExtremesOf(ThreadPool& pool, const Tensor& input) {
  constexpr int64_t kPart = 1 << 16;
  const int64_t n = input.elements(), parts = (n + kPart - 1) / kPart;
  in_parts.Chosen(parts > 1);
  const Qint32* const codes = input.data<Qint32>().data();
  std::vector<Extremes> found(static_cast<size_t>(parts));
  pool.ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      Extremes extremes;
      for (int64_t i = part * kPart; i < std::min(n, (part + 1) * kPart); ++i)
        extremes.Add(codes[i].value, codes[i].value);
      found[part] = extremes;
    }
  });
  Extremes all;
  for (const Extremes& part : found) all.Add(part.least, part.most);
  return all;
}

struct Ends {
  float low, high;
};
// What the codes of `input` stand for in [min, max], from 0 or less on.
Ends EndsOf(ThreadPool& pool, const Tensor& input, float min, float max) {
  const Steps<int32_t> steps(min, max);
  const Extremes extremes = ExtremesOf(pool, input);
  const float low = steps.NumberOf(extremes.least);
  return {low < 0 ? low : 0.0F, steps.NumberOf(extremes.most)};
}

class RequantizationRangeKernel final : public Kernel {
 public:
  explicit RequantizationRangeKernel(const Node&) {}

  void Run(KernelContext& context) override {
    for (const int i : {1, 2}) {
      Require(context.input(i).elements() > 0, "the range of the input must not be empty");
    }
    const Ends ends = EndsOf(context.pool(), context.input(0), *context.input(1).data<float>().data(),
                             *context.input(2).data<float>().data());
    OutputFloat(context, 0, ends.low);
    OutputFloat(context, 1, ends.high);
  }
};

class QuantizeDownKernel final : public Kernel {
 public:
  explicit QuantizeDownKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    const Ends ends = EndsOf(context.pool(), context.input(0), min, max);
    Recode<Quint8>(context, FixedPoint(min, max, ends.low, ends.high));
    OutputFloat(context, 1, ends.low);
    OutputFloat(context, 2, ends.high);
  }
};

constexpr KernelRow kRows[] = {
    {"Requantize", Make<RequantizeKernel>},
    {"RequantizationRange", Make<RequantizationRangeKernel>},
    {"QuantizeDownAndShrinkRange", Make<QuantizeDownKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationRequantize() { return kRows; }

}  // namespace plumb::fast::cpu
