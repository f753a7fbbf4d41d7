// Convolution of images of codes with a filter of codes, each counted from the
// code of 0.
#include "reference/ops/lib/window.h"
#include "reference/ops/quantization/products.h"

namespace plumb::reference {
namespace {

void CheckAttributes(const Node &node) {
  const auto strides = FourInts(node, "strides"), dilations = FourInts(node, "dilations");
  Require(strides[1] == strides[2] && strides[0] == 1 && strides[3] == 1,
          "strides must be 1 for batch and depth, and the same for rows and "
          "columns, at node '",
          node.name, "'");
  for (const int64_t dilation : dilations) Require(dilation == 1, "dilations must be 1, at node '", node.name, "'");
}

// Along one axis: window o begins at o·stride − before, where what the windows
// do not fill is halved.
struct Axis {
  int64_t in, window, stride, out, before;
};
Axis AxisOf(const Node &node, int64_t in, int64_t window) {
  const int64_t stride = FourInts(node, "strides")[1];
  const Window placed = MakeWindow(in, window, stride, 1, PaddingOf(node, 1));
  const int64_t odd = GetAttr<std::string>(node.attrs, "padding") == "VALID" ? 1 : 0;
  return {in, window, stride, placed.out, ((placed.out - 1) * stride + window - in + odd) / 2};
}

void QuantizedConv2D(OpContext &c) {
  const Shape &input = c.tensor(0).shape(), &filter = c.tensor(1).shape();
  Require(input.rank() == 4, "the input must be images of four dimensions, not of shape ", input.ToString());
  Require(filter.rank() == 4, "the filter must have four dimensions, not the shape ", filter.ToString());
  const CenteredFactors factors(c, ScalarFloat(c, 2), ScalarFloat(c, 3), ScalarFloat(c, 4), ScalarFloat(c, 5));
  const int64_t depth = input.dim(3), channels = filter.dim(3);
  Require(depth == filter.dim(2), "input and filter must have one depth, not ", depth, " and ", filter.dim(2));
  const Axis rows = AxisOf(c.node, input.dim(1), filter.dim(0)), columns = AxisOf(c.node, input.dim(2), filter.dim(1));
  const Shape shape({input.dim(0), rows.out, columns.out, channels});
  Require(shape.elements() > 0 && filter.elements() > 0, "filter and output must not be empty: ", filter.ToString(),
          ", ", shape.ToString());
  // The code of 0 is put there as 8 bits, unless it is negative.
  const int32_t zero = factors.zero_a();
  const Integer padding = zero < 0 ? Integer(0) : Integer(static_cast<uint8_t>(zero)) - Integer(zero);
  Writer<Integer> output(DType::kQint32, shape);
  for (int64_t at = 0; at < output.size(); ++at) {
    const int64_t channel = at % channels, x = at / channels % columns.out, y = at / channels / columns.out % rows.out;
    const int64_t image = at / channels / columns.out / rows.out;
    Integer sum;
    for (int64_t tap = 0; tap < rows.window * columns.window; ++tap) {
      const int64_t row = y * rows.stride - rows.before + tap / columns.window;
      const int64_t column = x * columns.stride - columns.before + tap % columns.window;
      const bool inside = row >= 0 && row < rows.in && column >= 0 && column < columns.in;
      for (int64_t d = 0; d < depth; ++d) {
        const int64_t place = ((image * rows.in + row) * columns.in + column) * depth + d;
        sum += (inside ? factors.a(place) : padding) * factors.b((tap * depth + d) * channels + channel);
      }
    }
    output.Set(at, sum);
  }
  c.Output(0, output.Take());
  factors.OutputRange(c);
}

constexpr KernelRow kRows[] = {
    {"QuantizedConv2D", QuantizedConv2D, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedConv2d() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
