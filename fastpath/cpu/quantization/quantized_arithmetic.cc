// QuantizedAdd, QuantizedBiasAdd, QuantizedMul. There are 256 codes: what each adds is looked
// up.
#include <array>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/quantization/products.h"

namespace plumb::fast::cpu {
namespace {

// Modulo 2^32.
int32_t Plus(int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }
int32_t Times(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

class QuantizedBiasAddKernel final : public Kernel {
 public:
  explicit QuantizedBiasAddKernel(const Node &node) : dtype_(InputType(node, 0)) {
    if (InputType(node, 1) != dtype_) ThrowNoKernel(node);
  }

  void Run(KernelContext &context) override {
    float ends[4];
    for (int i = 0; i < 4; ++i) ends[i] = ScalarFloat(context, 2 + i);
    const Shape shape = context.input(0).shape();
    Require(shape.rank() >= 2, "the input must have two dimensions or more, not the shape ", Printed(shape));
    const Shape biases = {shape[shape.rank() - 1]};
    Require(context.input(1).shape() == biases && biases[0] > 0,
            "there must be a bias for each entry of the last dimension of ", Printed(shape), ", not the shape ",
            Printed(context.input(1).shape()));
    const auto most = [](float a, float b) { return a < b ? b : a; };
    const float high = most(ends[1], most(-ends[0], most(ends[3], -ends[2]))) * 0x1p17F;
    if (dtype_ == DType::kQint8) {
      Add<Qint8>(context, ends, high);
    } else {
      Add<Quint8>(context, ends, high);
    }
    OutputFloat(context, 1, -high);
    OutputFloat(context, 2, high);
  }

 private:
  template <class Q>
  void Add(KernelContext &context, const float *ends, float high) const {
    using Code = CodeType<Q>;
    const CodeLine<Code> number_of(ends[0], ends[1]), bias_of(ends[2], ends[3]);
    const NearestCode<int32_t> nearest(-high, high);
    const int32_t zero = Steps<int32_t>(-high, high).Nearest(0);
    std::array<int32_t, 256> sums{};
    for (int i = 0; i < 256; ++i) sums[i] = Plus(nearest(number_of(static_cast<Code>(i))), zero);
    const Tensor &input = context.input(0), &bias = context.input(1);
    const Q *const codes = input.data<Q>().data(), *const bias_codes = bias.data<Q>().data();
    const int64_t channels = bias.elements();
    std::vector<int32_t> offsets(static_cast<size_t>(channels));
    for (int64_t c = 0; c < channels; ++c) offsets[c] = nearest(bias_of(bias_codes[c].value));
    Qint32 *const out = context.AllocateOutput(0, DType::kQint32, input.shape()).template mutable_data<Qint32>().data();
    context.pool().ParallelFor(input.elements() / channels, GrainFor(2 * channels), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin * channels; row < end * channels; row += channels) {
        for (int64_t c = 0; c < channels; ++c) {
          out[row + c].value = Plus(sums[static_cast<uint8_t>(codes[row + c].value)], offsets[c]);
        }
      }
    });
  }

  const DType dtype_;
};

// How the operands meet. Dimensions that are 1 in both count for nothing, and
// neighbours of one kind count once.
struct Meeting {
  Shape result;
  int runs = 0;
};
Meeting MeetingOf(const Shape &x, const Shape &y) {
  const int rank = std::max(x.rank(), y.rank());
  Dims dims;
  for (int i = 0; i < rank; ++i) dims.Append(1);
  Meeting meeting;
  enum class Stretched { kUnknown, kNone, kX, kY } last = Stretched::kUnknown;
  for (int back = 1; back <= rank; ++back) {
    const int64_t a = back <= x.rank() ? x[x.rank() - back] : 1, b = back <= y.rank() ? y[y.rank() - back] : 1;
    Require(a == b || a == 1 || b == 1, "the shapes ", Printed(x), " and ", Printed(y), " do not broadcast");
    dims[rank - back] = a == 1 ? b : a;
    if (a == 1 && b == 1) continue;
    const Stretched kind = a == b ? Stretched::kNone : a == 1 ? Stretched::kX : Stretched::kY;
    if (kind != last) ++meeting.runs;
    last = kind;
  }
  meeting.result = dims.ToShape();
  return meeting;
}

// f(code, code) in qint32, of two operands of which the shorter one is repeated along the longer one. Where both are
// stretched, what is left over is 0.
template <class F>
void Combine(KernelContext &context, const Tensor &shorter, const Tensor &longer, const Shape &shape, const F &f) {
  Qint32 *const out = context.AllocateOutput(0, DType::kQint32, shape).mutable_data<Qint32>().data();
  if (shape.elements() == 0) return;
  const int64_t n = std::min(longer.elements(), shape.elements()), period = shorter.elements();
  const int64_t step = period == 1 ? 0 : 1, run = period == 1 ? n : period;
  const Quint8 *const a = shorter.data<Quint8>().data(), *const b = longer.data<Quint8>().data();
  context.pool().ParallelFor(n, GrainFor(3), [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t at = begin % run, count = std::min(end - begin, run - at);
      const Quint8 *const codes = a + at * step;
      for (int64_t i = 0; i < count; ++i) out[begin + i].value = f(codes[i * step].value, b[begin + i].value);
      begin += count;
    }
  });
  std::fill(out + n, out + shape.elements(), Qint32{0});
}

class QuantizedMulKernel final : public Kernel {
 public:
  explicit QuantizedMulKernel(const Node &) {}

  void Run(KernelContext &context) override {
    const FactorRange<uint8_t> range_x{ScalarFloat(context, 2), ScalarFloat(context, 3)};
    const FactorRange<uint8_t> range_y{ScalarFloat(context, 4), ScalarFloat(context, 5)};
    const Tensor &x = context.input(0), &y = context.input(1);
    const Meeting meeting = MeetingOf(x.shape(), y.shape());
    range_x.Require();
    range_y.Require();
    const bool x_repeats = x.elements() < y.elements();
    const Tensor &shorter = x_repeats ? x : y, &longer = x_repeats ? y : x;
    const bool repeats = meeting.runs == 2;
    Require(!repeats || shorter.elements() > 0, "an operand that is repeated is empty");
    if (meeting.runs > 2) {
      throw Unimplemented("broadcasting of ", Printed(x.shape()), " and ", Printed(y.shape()), " is not supported");
    }
    const int32_t zero_x = range_x.Zero(), zero_y = range_y.Zero();
    const int32_t shorter_zero = x_repeats ? zero_x : zero_y, longer_zero = x_repeats ? zero_y : zero_x;
    Combine(context, shorter, longer, meeting.result,
            [=](uint8_t a, uint8_t b) { return Times(Centered(a, shorter_zero), Centered(b, longer_zero)); });
    OutputProductRange(context, range_x, range_y);
  }
};

class QuantizedAddKernel final : public Kernel {
 public:
  explicit QuantizedAddKernel(const Node &) {}

  void Run(KernelContext &context) override {
    float ends[4];
    for (int i = 0; i < 4; ++i) ends[i] = ScalarFloat(context, 2 + i);
    const Tensor &x = context.input(0), &y = context.input(1);
    const Meeting meeting = MeetingOf(x.shape(), y.shape());
    Require(ends[1] > ends[0] && ends[3] > ends[2], "the range of an operand is empty");
    Require(meeting.runs != 2 || std::min(x.elements(), y.elements()) > 0, "an operand that is repeated is empty");
    if (meeting.runs > 2) {
      throw Unimplemented("broadcasting of ", Printed(x.shape()), " and ", Printed(y.shape()), " is not supported");
    }
    const auto most = [](float a, float b) { return a < b ? b : a; };
    const float high = most(ends[1], most(-ends[0], most(ends[3], -ends[2]))) * 0x1p14F;
    const Steps<int32_t> sums(-high, high);
    const bool flat = meeting.runs <= 1, sole_x = flat && x.elements() == 1;
    const Places at_x = PlacesIn(sums, ends[0], ends[1], sole_x);
    const Places at_y = PlacesIn(sums, ends[2], ends[3], flat && !sole_x && y.elements() == 1);
    const bool x_repeats = x.elements() < y.elements();
    const Places &at_shorter = x_repeats ? at_x : at_y, &at_longer = x_repeats ? at_y : at_x;
    Combine(context, x_repeats ? x : y, x_repeats ? y : x, meeting.result,
            [&](uint8_t a, uint8_t b) { return Plus(at_shorter[a], at_longer[b]); });
    OutputFloat(context, 1, -high);
    OutputFloat(context, 2, high);
  }

 private:
  // Where each code lies among those of sums: its number's nearest place if the operand is one code, else as many
  // steps from the first as it is itself.
  using Places = std::array<int32_t, 256>;
  static Places PlacesIn(const Steps<int32_t> &sums, float min, float max, bool sole) {
    const Steps<uint8_t> numbers(min, max);
    const int64_t first = sums.Unbounded(numbers.NumberOf(0)), step = sums.Unbounded(numbers.NumberOf(1)) - first;
    Places places{};
    for (int i = 0; i < 256; ++i) {
      const int64_t moved = std::clamp<int64_t>(first + i * step, INT32_MIN, INT32_MAX);
      places[i] = sole ? sums.Nearest(numbers.NumberOf(static_cast<uint8_t>(i))) : static_cast<int32_t>(moved);
    }
    return places;
  }
};

constexpr KernelRow kRows[] = {
    {"QuantizedAdd", Make<QuantizedAddKernel>},
    {"QuantizedBiasAdd", Make<QuantizedBiasAddKernel>},
    {"QuantizedMul", Make<QuantizedMulKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedArithmetic() { return kRows; }

}  // namespace plumb::fast::cpu
