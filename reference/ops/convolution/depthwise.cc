// Depthwise convolution and its two gradients: y[n, o, p, c·m + q] += x[n, i, j, c]·w[k, l, c, q] over all taps
// (i, o, k) along the height and (j, p, l) along the width; m: the multiplier. Inside, images are NHWC.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/ops/lib/window.h"

namespace plumb::reference {
namespace {

struct Depthwise {
  int64_t batch, in_depth, multiplier;
  Window height, width;
  ImageLayout layout;

  int64_t out_depth() const { return in_depth * multiplier; }
  Shape input_shape() const { return Shape({batch, height.in, width.in, in_depth}); }
  Shape output_shape() const { return Shape({batch, height.out, width.out, out_depth()}); }
  Shape filter_shape() const { return Shape({height.kernel, width.kernel, in_depth, multiplier}); }
  int64_t InputAt(int64_t n, int64_t i, int64_t j) const { return ((n * height.in + i) * width.in + j) * in_depth; }
  int64_t OutputAt(int64_t n, int64_t o, int64_t p) const {
    return ((n * height.out + o) * width.out + p) * out_depth();
  }
  int64_t FilterAt(int64_t k, int64_t l) const { return (k * width.kernel + l) * out_depth(); }
};

void CheckAttributes(const Node& node) {
  const auto label = GetAttrOr<std::string>(node.attrs, "_kernel", "");
  Require(label.empty(), "no kernel with the label ", label, " is registered, for node '", node.name, "' (rule A7)");
  const ImageLayout layout = LayoutOf(node);
  const auto strides = FourInts(node, "strides");
  Require(strides[layout.height] == strides[layout.width], "strides must be equal along rows and columns, not ",
          strides[layout.height], " and ", strides[layout.width], ", at node '", node.name, "'");
  Require(strides[layout.batch] == 1 && strides[layout.channels] == 1,
          "strides over batch and channels must be 1, at node '", node.name, "'");
  CheckPaddings(node);
}

// The gradients do not look at dilations.
void CheckForward(const Node& node) {
  CheckAttributes(node);
  for (const int64_t dilation : FourInts(node, "dilations")) {
    if (dilation != 1) throw Unimplemented("windows cannot be dilated by ", dilation, ", at node '", node.name, "'");
  }
}

Depthwise DepthwiseOf(const OpContext& context, const Shape& input, const Shape& filter) {
  const ImageLayout layout = LayoutOf(context.node);
  const Shape image = ToNhwc(input, layout);
  Require(filter.rank() == 4, "a filter has four dimensions, not the shape ", filter.ToString());
  Require(image.dim(3) == filter.dim(2), "the images have ", image.dim(3), " channels, the filter is for ",
          filter.dim(2));
  const auto strides = FourInts(context.node, "strides");
  const auto window = [&](int axis, int nhwc_axis, int filter_axis) {
    return MakeWindow(image.dim(nhwc_axis), filter.dim(filter_axis), strides[axis], 1, PaddingOf(context.node, axis));
  };
  return {image.dim(0), filter.dim(2), filter.dim(3), window(layout.height, 1, 0), window(layout.width, 2, 1), layout};
}

Depthwise BackwardOf(const OpContext& context, const Shape& input, const Shape& filter) {
  const Depthwise conv = DepthwiseOf(context, input, filter);
  const Shape expected = FromNhwc(conv.output_shape(), conv.layout);
  Require(context.tensor(2).shape() == expected, "out_backprop has the shape ", context.tensor(2).shape().ToString(),
          ", but the convolution's output has ", expected.ToString());
  return conv;
}

// Padding may be left out, or multiplied by: where the other factor is not finite, nothing is known of such a sum.
bool HasNonFinite(const Array<Real>& factors) {
  return std::any_of(factors.at.begin(), factors.at.end(), [](Real x) { return !std::isfinite(x.v); });
}
Real OpenIf(bool open, Real sum) { return open ? Real{sum.v, INFINITY, sum.d} : sum; }

// Calls visit(row tap, column tap) for all meetings of a group of each.
template <class F>
void ForEachMeeting(const std::vector<Tap>& rows, const std::vector<Tap>& columns, const F& visit) {
  for (const Tap& row : rows) {
    for (const Tap& column : columns) visit(row, column);
  }
}

void Forward(const Depthwise& conv, const Array<Real>& x, const Array<Real>& w, Array<Real>& y) {
  const auto rows = conv.height.TapsBy(&Tap::out), columns = conv.width.TapsBy(&Tap::out);
  const bool infinite = HasNonFinite(w);
  int64_t at = 0;
  for (int64_t n = 0; n < conv.batch; ++n) {
    for (const auto& row_taps : rows) {
      for (const auto& column_taps : columns) {
        const auto taps = static_cast<int64_t>(row_taps.size() * column_taps.size());
        for (int64_t d = 0; d < conv.out_depth(); ++d) {
          Sum sum;
          ForEachMeeting(row_taps, column_taps, [&](const Tap& row, const Tap& column) {
            sum.AddProduct(x[conv.InputAt(n, row.in, column.in) + d / conv.multiplier],
                           w[conv.FilterAt(row.kernel, column.kernel) + d]);
          });
          y[at++] = OpenIf(infinite && taps < conv.height.kernel * conv.width.kernel, sum.Result());
        }
      }
    }
  }
}

void BackwardInput(const Depthwise& conv, const Array<Real>& w, const Array<Real>& dy, Array<Real>& dx) {
  const auto rows = conv.height.TapsBy(&Tap::in), columns = conv.width.TapsBy(&Tap::in);
  const bool infinite = HasNonFinite(w) || HasNonFinite(dy);
  int64_t at = 0;
  for (int64_t n = 0; n < conv.batch; ++n) {
    for (const auto& row_taps : rows) {
      for (const auto& column_taps : columns) {
        const auto taps = static_cast<int64_t>(row_taps.size() * column_taps.size());
        for (int64_t c = 0; c < conv.in_depth; ++c) {
          Sum sum;
          ForEachMeeting(row_taps, column_taps, [&](const Tap& row, const Tap& column) {
            for (int64_t d = c * conv.multiplier; d < (c + 1) * conv.multiplier; ++d) {
              sum.AddProduct(dy[conv.OutputAt(n, row.out, column.out) + d],
                             w[conv.FilterAt(row.kernel, column.kernel) + d]);
            }
          });
          dx[at++] = OpenIf(infinite && taps < conv.height.kernel * conv.width.kernel, sum.Result());
        }
      }
    }
  }
}

void BackwardFilter(const Depthwise& conv, const Array<Real>& x, const Array<Real>& dy, Array<Real>& dw) {
  const auto rows = conv.height.TapsBy(&Tap::kernel), columns = conv.width.TapsBy(&Tap::kernel);
  const bool infinite = HasNonFinite(dy);
  int64_t at = 0;
  for (const auto& row_taps : rows) {
    for (const auto& column_taps : columns) {
      const auto taps = static_cast<int64_t>(row_taps.size() * column_taps.size());
      for (int64_t d = 0; d < conv.out_depth(); ++d) {
        Sum sum;
        for (int64_t n = 0; n < conv.batch; ++n) {
          ForEachMeeting(row_taps, column_taps, [&](const Tap& row, const Tap& column) {
            sum.AddProduct(x[conv.InputAt(n, row.in, column.in) + d / conv.multiplier],
                           dy[conv.OutputAt(n, row.out, column.out) + d]);
          });
        }
        dw[at++] = OpenIf(infinite && taps < conv.height.out * conv.width.out, sum.Result());
      }
    }
  }
}

void DepthwiseConv2dNative(OpContext& context) {
  const Depthwise conv = DepthwiseOf(context, context.tensor(0).shape(), context.tensor(1).shape());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto y = MakeArray<Real>(dtype, conv.output_shape());
    if (!y.at.empty())
      Forward(conv, Load<Real>(ToNhwc(context.input(0), conv.layout)), Load<Real>(context.input(1)), y);
    context.Output(0, FromNhwc(Store(y), conv.layout));
  });
}

void DepthwiseConv2dNativeBackpropInput(OpContext& context) {
  const Shape input = ShapeOf(context.tensor(0), "input_sizes");
  const Depthwise conv = BackwardOf(context, input, context.tensor(1).shape());
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto dx = MakeArray<Real>(dtype, conv.input_shape());
    if (!dx.at.empty()) {
      BackwardInput(conv, Load<Real>(context.input(1)), Load<Real>(ToNhwc(context.input(2), conv.layout)), dx);
    }
    context.Output(0, FromNhwc(Store(dx), conv.layout));
  });
}

void DepthwiseConv2dNativeBackpropFilter(OpContext& context) {
  const Shape filter = ShapeOf(context.tensor(1), "filter_sizes");
  const Depthwise conv = BackwardOf(context, context.tensor(0).shape(), filter);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto dw = MakeArray<Real>(dtype, conv.filter_shape());
    if (!dw.at.empty()) {
      BackwardFilter(conv, Load<Real>(ToNhwc(context.input(0), conv.layout)),
                     Load<Real>(ToNhwc(context.input(2), conv.layout)), dw);
    }
    context.Output(0, Store(dw));
  });
}

constexpr KernelRow kRows[] = {
    {"DepthwiseConv2dNative", DepthwiseConv2dNative, CheckForward},
    {"DepthwiseConv2dNativeBackpropInput", DepthwiseConv2dNativeBackpropInput, CheckAttributes},
    {"DepthwiseConv2dNativeBackpropFilter", DepthwiseConv2dNativeBackpropFilter, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionDepthwise() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
