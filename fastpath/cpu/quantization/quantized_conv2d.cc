// QuantizedConv2D: the codes are counted from that of 0 while the images are padded; then it is the convolution of
// int32, or that of float32 where it is exact.
#include <cmath>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/quantization/products.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint wide_sums("convolution of codes: sums that float32 holds, or wider ones");

// An axis whose windows lie in the image without padding, and how far that
// reaches beyond the input in front.
struct PaddedAxis {
  WindowAxis windows;
  int64_t before;
};

// Where the windows do not fill the input, as much is left out on either side; of VALID windows, what cannot be halved
// at the end.
PaddedAxis PaddedFor(int64_t input, int64_t window, int64_t stride, Padding padding) {
  WindowAxis axis;
  axis.input = input;
  axis.window = window;
  axis.stride = stride;
  axis = Placed(axis, padding);
  const int64_t extent = (axis.output - 1) * stride + window;
  axis.input = extent;
  axis.before = axis.after = 0;
  return {axis, (extent - input + (padding == Padding::kValid ? 1 : 0)) / 2};
}

class QuantizedConv2DKernel final : public Kernel {
 public:
  explicit QuantizedConv2DKernel(const Node &node) : stride_(FourInts(node, "strides")[1]), padding_(PaddingOf(node)) {
    const auto strides = FourInts(node, "strides"), dilations = FourInts(node, "dilations");
    Require(strides[1] == strides[2] && strides[0] == 1 && strides[3] == 1,
            "strides must be 1 for batch and depth, and the same for rows "
            "and columns");
    for (const int64_t dilation : dilations) Require(dilation == 1, "dilations must be 1");
  }

  void Run(KernelContext &context) override {
    const Tensor &input = context.input(0), &filter = context.input(1);
    Require(input.rank() == 4 && filter.rank() == 4, "input and filter must have four dimensions, not the shapes ",
            Printed(input.shape()), " and ", Printed(filter.shape()));
    const FactorRange<uint8_t> images{ScalarFloat(context, 2), ScalarFloat(context, 3)};
    const FactorRange<uint8_t> weights{ScalarFloat(context, 4), ScalarFloat(context, 5)};
    Require(input.dim(3) == filter.dim(2), "input and filter must have one depth, not ", input.dim(3), " and ",
            filter.dim(2));
    const PaddedAxis rows = PaddedFor(input.dim(1), filter.dim(0), stride_, padding_);
    const PaddedAxis columns = PaddedFor(input.dim(2), filter.dim(1), stride_, padding_);
    const ConvolutionSize size{input.dim(0), rows.windows, columns.windows, input.dim(3), filter.dim(3)};
    const Shape shape = size.output();
    Require(shape.elements() > 0 && filter.elements() > 0,
            "filter and output must not be empty: ", Printed(filter.shape()), ", ", Printed(shape));
    Tensor &output = context.AllocateOutput(0, DType::kQint32, shape);
    auto *const sums = reinterpret_cast<int32_t *>(output.mutable_data<Qint32>().data());
    const int64_t products = size.rows.window * size.columns.window * size.in_depth;
    const Places places{rows.before, columns.before, images.Zero(), weights.Zero()};
    if (wide_sums.Chosen(Farthest(places.zero) * Farthest(places.filter_zero) * static_cast<double>(products) >
                         0x1p24)) {
      Convolve<int32_t>(context.pool(), input, filter, size, places, sums);
    } else {
      Convolve<float>(context.pool(), input, filter, size, places, sums);
    }
    OutputProductRange(context, images, weights);
  }

 private:
  // Where the images begin in their padding, and the codes of 0 of images and filter.
  struct Places {
    int64_t above, left;
    int32_t zero, filter_zero;
  };

  // How far a code may be from that of 0.
  static double Farthest(double zero) { return std::max(std::fabs(zero), std::fabs(255 - zero)); }

  // T: int32_t, or float where it holds every sum of products, in whatever order.
  template <class T>
  static void Convolve(ThreadPool &pool, const Tensor &input, const Tensor &filter, const ConvolutionSize &size,
                       const Places &places, int32_t *sums) {
    const Tensor centered = CenteredCodes<T>(pool, filter, places.filter_zero);
    const Tensor padded = PaddedImages<T>(pool, input, size, places.above, places.left, places.zero);
    const T *const x = padded.data<T>().data(), *const w = centered.template data<T>().data();
    if constexpr (std::is_same_v<T, int32_t>) {
      PlainConvolution(pool, size, x, w, sums);
    } else {
      Tensor output = Allocate(DType::kFloat, size.output());
      float *const exact = output.mutable_data<float>().data();
      LibraryConvolution(pool, size, x, w, exact);
      pool.ParallelFor(output.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) sums[i] = static_cast<int32_t>(exact[i]);
      });
    }
  }

  // The code of 0 is put into the padding as 8 bits, unless it is negative.
  template <class T>
  static Tensor PaddedImages(ThreadPool &pool, const Tensor &input, const ConvolutionSize &size, int64_t above,
                             int64_t left, int32_t zero) {
    const T padding = zero < 0 ? T{0} : static_cast<T>(Centered(static_cast<uint8_t>(zero), zero));
    const int64_t rows = input.dim(1), columns = input.dim(2), depth = input.dim(3);
    const int64_t height = size.rows.input, width = size.columns.input;
    Tensor padded = Allocate(DTypeOf<T>, size.input());
    const Quint8 *const from = input.data<Quint8>().data();
    T *const to = padded.mutable_data<T>().data();
    pool.ParallelFor(size.batch * height, GrainFor(width * depth), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const int64_t row = line % height - above;
        T *const out = to + line * width * depth;
        const Quint8 *const in = from + (line / height * rows + row) * columns * depth;
        const bool inside = row >= 0 && row < rows;
        const int64_t first = inside ? std::clamp<int64_t>(left, 0, width) * depth : width * depth;
        const int64_t last = inside ? std::clamp<int64_t>(left + columns, 0, width) * depth : width * depth;
        std::fill(out, out + first, padding);
        for (int64_t i = first; i < last; ++i) out[i] = static_cast<T>(Centered(in[i - left * depth].value, zero));
        std::fill(out + last, out + width * depth, padding);
      }
    });
    return padded;
  }

  const int64_t stride_;
  const Padding padding_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedConv2D", Make<QuantizedConv2DKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedConv2d() { return kRows; }

}  // namespace plumb::fast::cpu
