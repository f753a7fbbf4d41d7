// QuantizedConcat: codes side by side, in one range.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

class QuantizedConcatKernel final : public Kernel {
 public:
  explicit QuantizedConcatKernel(const Node& node) : dtype_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const int count = (context.num_inputs() - 1) / 3;
    Require(context.input(0).rank() == 0, "concat_dim must be a scalar");
    const int64_t axis = IntAt(context.input(0), 0);
    const Shape shape = Joined(context, count, axis);
    float low = 0, high = std::numeric_limits<float>::lowest();
    for (int i = 1; i <= count; ++i) {
      low = std::min(low, EndOf(context, count + i));
      high = std::max(high, EndOf(context, 2 * count + i));
    }
    if (dtype_ == DType::kQint32) {
      high = std::max(std::abs(low), std::abs(high));
      low = -high;
    }
    Tensor& output = context.AllocateOutput(0, dtype_, shape);
    if (dtype_ == DType::kQuint8) {
      Fill<uint8_t>(context, static_cast<int>(axis), low, high, output);
    } else {
      Fill<int32_t>(context, static_cast<int>(axis), low, high, output);
    }
    OutputFloat(context, 1, low);
    OutputFloat(context, 2, high);
  }

 private:
  static float EndOf(const KernelContext& context, int i) {
    Require(context.input(i).elements() > 0, "input ", i, " must hold a number");
    return *context.input(i).data<float>().data();
  }

  static Shape Joined(const KernelContext& context, int count, int64_t axis) {
    const Shape& first = context.input(1).shape();
    Require(0 <= axis && axis < first.rank(), "concat_dim must be in [0, ", first.rank(), "), not ", axis);
    Dims dims(first);
    for (int i = 2; i <= count; ++i) {
      const Shape& shape = context.input(i).shape();
      Require(shape.rank() == first.rank(), "pieces of the shapes ", Printed(first), " and ", Printed(shape),
              " have not one rank");
      for (int d = 0; d < first.rank(); ++d) {
        Require(d == axis || shape[d] == first[d], "pieces of the shapes ", Printed(first), " and ", Printed(shape),
                " differ in dimension ", d);
      }
      dims[static_cast<int>(axis)] += shape[static_cast<int>(axis)];
    }
    return dims.ToShape();
  }

  template <class Code>
  static void Fill(KernelContext& context, int axis, float low, float high, Tensor& output) {
    const Shape& shape = output.shape();
    const int count = (context.num_inputs() - 1) / 3;
    int64_t rows = 1, row = 1, offset = 0;
    for (int d = 0; d < shape.rank(); ++d) (d < axis ? rows : row) *= shape[d];
    if (output.elements() == 0) return;
    const NearestCode<Code> nearest(low, high);
    auto* const to = static_cast<Code*>(output.mutable_raw());
    for (int i = 1; i <= count; ++i) {
      const float min = EndOf(context, count + i), max = EndOf(context, 2 * count + i);
      const CodeLine<Code> number_of(min, max);
      const bool same = min == low && max == high;
      const auto* const from = static_cast<const Code*>(context.input(i).raw());
      const int64_t run = context.input(i).elements() / rows;
      context.pool().ParallelFor(rows, GrainFor(4 * run), [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          for (int64_t k = 0; k < run; ++k) {
            const Code code = from[r * run + k];
            to[r * row + offset + k] = same ? code : nearest(number_of(code));
          }
        }
      });
      offset += run;
    }
  }

  const DType dtype_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedConcat", Make<QuantizedConcatKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedConcat() { return kRows; }

}  // namespace plumb::fast::cpu
