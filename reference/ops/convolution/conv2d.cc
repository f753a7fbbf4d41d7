// Convolution and its two gradients: y[n, o, p, d] += x[n, i, j, c]·w[k, l, c, d] over all taps (i, o, k) along the
// height and (j, p, l) along the width. Inside, images are in the order batch, height, width, channels. In groups, the
// first outputs see the first channels and so on, each as many as the filter is deep.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/ops/lib/window.h"

namespace plumb::reference {
namespace {

struct Convolution {
  int64_t batch, in_depth, group_depth, out_depth;
  Window height, width;
  ImageLayout layout;

  Shape input_shape() const { return Shape({batch, height.in, width.in, in_depth}); }
  Shape output_shape() const { return Shape({batch, height.out, width.out, out_depth}); }
  Shape filter_shape() const { return Shape({height.kernel, width.kernel, group_depth, out_depth}); }
  int64_t groups() const { return in_depth / group_depth; }
  // The first channel that output `d` sees.
  int64_t ChannelOf(int64_t d) const { return d / (out_depth / groups()) * group_depth; }
  int64_t InputAt(int64_t n, int64_t i, int64_t j) const { return ((n * height.in + i) * width.in + j) * in_depth; }
  int64_t OutputAt(int64_t n, int64_t o, int64_t p) const { return ((n * height.out + o) * width.out + p) * out_depth; }
  // Whether a window reaches beyond the image (or, backwards, falls between strides).
  bool IsClipped(const std::vector<Tap>& rows, const std::vector<Tap>& columns) const {
    return static_cast<int64_t>(rows.size() * columns.size()) < height.kernel * width.kernel;
  }
  int64_t FilterAt(int64_t k, int64_t l) const { return (k * width.kernel + l) * group_depth * out_depth; }
};

// What only matters where there is something to compute.
void CheckGroups(const Convolution& conv) {
  Require(conv.filter_shape().elements() > 0, "the filter must not be empty: ", conv.filter_shape().ToString());
  Require(conv.out_depth % conv.groups() == 0, "the output depth ", conv.out_depth, " cannot be divided by ",
          conv.groups(), " groups");
}

void CheckSteps(const Node& node, Code code) {
  const ImageLayout layout = LayoutOf(node);
  const auto strides = FourInts(node, "strides"), dilations = FourInts(node, "dilations");
  for (const auto& [name, steps] : {std::pair("strides", strides), std::pair("dilations", dilations)}) {
    if (steps[layout.batch] == 1 && steps[layout.channels] == 1) continue;
    throw Error(code, Str(name, " in the batch and depth dimensions are not supported, at node '", node.name, "'"));
  }
}

// The code of the same mistake differs between TensorFlow's three kernels (conv_ops.cc, conv_grad_ops.cc).
void CheckForward(const Node& node) {
  CheckSteps(node, Code::kUnimplemented);
  CheckPaddings(node);
}
void CheckInputGradient(const Node& node) {
  CheckSteps(node, LayoutOf(node).channels == 3 ? Code::kUnimplemented : Code::kInvalidArgument);
  CheckPaddings(node);
}
void CheckFilterGradient(const Node& node) {
  CheckSteps(node, Code::kInvalidArgument);
  CheckPaddings(node);
}

Convolution ConvolutionOf(const OpContext& context, const Shape& input, const Shape& filter) {
  const ImageLayout layout = LayoutOf(context.node);
  const Shape image = ToNhwc(input, layout);
  Require(filter.rank() == 4, "a filter has four dimensions, not the shape ", filter.ToString());
  const auto strides = FourInts(context.node, "strides"), dilations = FourInts(context.node, "dilations");
  const int64_t depth = image.dim(3), group_depth = filter.dim(2);
  Require(group_depth > 0 && depth % group_depth == 0, "the input depth ", depth,
          " is no multiple of the filter's input depth ", group_depth);
  const auto window = [&](int axis, int nhwc_axis, int filter_axis) {
    return MakeWindow(image.dim(nhwc_axis), filter.dim(filter_axis), strides[axis], dilations[axis],
                      PaddingOf(context.node, axis));
  };
  return {image.dim(0), depth, group_depth, filter.dim(3), window(layout.height, 1, 0), window(layout.width, 2, 1),
          layout};
}

// The gradient with respect to the output must have the shape that the output would have.
Convolution BackwardOf(const OpContext& context, const Shape& input, const Shape& filter) {
  const Convolution conv = ConvolutionOf(context, input, filter);
  Require(conv.in_depth > 0 && conv.out_depth % conv.groups() == 0, "the output depth ", conv.out_depth,
          " cannot be divided by ", conv.groups(), " groups");
  Require(conv.groups() == 1, "gradients of grouped convolutions are not supported: depth ", conv.in_depth,
          ", filter depth ", conv.group_depth);
  const Shape expected = FromNhwc(conv.output_shape(), conv.layout);
  Require(context.tensor(2).shape() == expected, "out_backprop has the shape ", context.tensor(2).shape().ToString(),
          ", but the convolution's output has ", expected.ToString());
  return conv;
}

// The filter with the input depth innermost, so that one output's weights lie together.
template <class N>
std::vector<N> ByOutput(const Convolution& conv, const Array<N>& w) {
  std::vector<N> turned(w.at.size());
  const int64_t rows = conv.group_depth, columns = conv.out_depth;
  for (int64_t at = 0; at < static_cast<int64_t>(w.at.size()); at += rows * columns) {
    for (int64_t c = 0; c < rows; ++c) {
      for (int64_t d = 0; d < columns; ++d) turned[at + d * rows + c] = w[at + c * columns + d];
    }
  }
  return turned;
}

// An implementation may leave out the places where the window reaches beyond the image or multiply them by zero. That
// makes a difference where the other factor is not finite: then nothing is known of the sum.
bool HasNonFinite(const Array<Real>& factors) {
  return std::any_of(factors.at.begin(), factors.at.end(), [](Real x) { return !std::isfinite(x.v); });
}
bool HasNonFinite(const Array<Integer>&) { return false; }
Real OpenIf(bool open, Real sum) { return open ? Real{sum.v, INFINITY, sum.d} : sum; }
Integer OpenIf(bool, Integer sum) { return sum; }

template <class N>
void Forward(const Convolution& conv, const Array<N>& x, const Array<N>& w, Array<N>& y) {
  const auto rows = conv.height.TapsBy(&Tap::out), columns = conv.width.TapsBy(&Tap::out);
  const auto weights = ByOutput(conv, w);
  const bool infinite = HasNonFinite(w);
  for (int64_t n = 0; n < conv.batch; ++n) {
    for (int64_t o = 0; o < conv.height.out; ++o) {
      for (int64_t p = 0; p < conv.width.out; ++p) {
        const bool clipped = conv.IsClipped(rows[o], columns[p]);
        for (int64_t d = 0; d < conv.out_depth; ++d) {
          SumOf<N> sum;
          for (const Tap& row : rows[o]) {
            for (const Tap& column : columns[p]) {
              const N* image = &x[conv.InputAt(n, row.in, column.in) + conv.ChannelOf(d)];
              const N* weight = &weights[conv.FilterAt(row.kernel, column.kernel) + d * conv.group_depth];
              for (int64_t c = 0; c < conv.group_depth; ++c) sum.AddProduct(image[c], weight[c]);
            }
          }
          y[conv.OutputAt(n, o, p) + d] = OpenIf(infinite && clipped, sum.Result());
        }
      }
    }
  }
}

template <class N>
void BackwardInput(const Convolution& conv, const Array<N>& w, const Array<N>& dy, Array<N>& dx) {
  const bool infinite = HasNonFinite(w) || HasNonFinite(dy);
  if (dx.at.empty()) return;
  const auto rows = conv.height.TapsBy(&Tap::in), columns = conv.width.TapsBy(&Tap::in);
  for (int64_t n = 0; n < conv.batch; ++n) {
    for (int64_t i = 0; i < conv.height.in; ++i) {
      for (int64_t j = 0; j < conv.width.in; ++j) {
        const bool clipped = conv.IsClipped(rows[i], columns[j]);
        for (int64_t c = 0; c < conv.in_depth; ++c) {
          SumOf<N> sum;
          for (const Tap& row : rows[i]) {
            for (const Tap& column : columns[j]) {
              const N* gradient = &dy[conv.OutputAt(n, row.out, column.out)];
              const N* weight = &w[conv.FilterAt(row.kernel, column.kernel) + c * conv.out_depth];
              for (int64_t d = 0; d < conv.out_depth; ++d) sum.AddProduct(gradient[d], weight[d]);
            }
          }
          dx[conv.InputAt(n, i, j) + c] = OpenIf(infinite && clipped, sum.Result());
        }
      }
    }
  }
}

// The gradient of the weights at one kernel position, from all places where it was applied.
template <class N>
void BackwardWeights(const Convolution& conv, const std::vector<Tap>& rows, const std::vector<Tap>& columns,
                     const Array<N>& x, const Array<N>& dy, bool infinite, N* dw) {
  std::vector<SumOf<N>> sums(conv.in_depth * conv.out_depth);
  for (int64_t n = 0; n < conv.batch; ++n) {
    for (const Tap& row : rows) {
      for (const Tap& column : columns) {
        const N* image = &x[conv.InputAt(n, row.in, column.in)];
        const N* gradient = &dy[conv.OutputAt(n, row.out, column.out)];
        for (int64_t c = 0; c < conv.in_depth; ++c) {
          for (int64_t d = 0; d < conv.out_depth; ++d) {
            sums[c * conv.out_depth + d].AddProduct(image[c], gradient[d]);
          }
        }
      }
    }
  }
  const bool clipped = static_cast<int64_t>(rows.size() * columns.size()) < conv.height.out * conv.width.out;
  for (size_t i = 0; i < sums.size(); ++i) dw[i] = OpenIf(infinite && clipped, sums[i].Result());
}

template <class N>
void BackwardFilter(const Convolution& conv, const Array<N>& x, const Array<N>& dy, Array<N>& dw) {
  if (dw.at.empty()) return;
  const auto rows = conv.height.TapsBy(&Tap::kernel), columns = conv.width.TapsBy(&Tap::kernel);
  const bool infinite = HasNonFinite(dy);
  for (int64_t k = 0; k < conv.height.kernel; ++k) {
    for (int64_t l = 0; l < conv.width.kernel; ++l) {
      BackwardWeights(conv, rows[k], columns[l], x, dy, infinite, &dw[conv.FilterAt(k, l)]);
    }
  }
}

void Conv2D(OpContext& context) {
  const Convolution conv = ConvolutionOf(context, context.tensor(0).shape(), context.tensor(1).shape());
  const bool is_empty = conv.input_shape().elements() == 0 || conv.output_shape().elements() == 0;
  if (!is_empty) CheckGroups(conv);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(dtype);
    auto y = MakeArray<N>(dtype, conv.output_shape());  // zeros: what padding alone gives
    if (!is_empty) Forward(conv, Load<N>(ToNhwc(context.input(0), conv.layout)), Load<N>(context.input(1)), y);
    context.Output(0, FromNhwc(Store(y), conv.layout));
  });
}

// input_sizes are all four dimensions, or height and width alone.
Shape InputSizes(const OpContext& context) {
  const auto sizes = IntegersOf(context.tensor(0), "input_sizes");
  Require(sizes.size() == 4 || sizes.size() == 2,
          "input_sizes must have four entries, or two for height and width alone, not ", sizes.size());
  const Shape& gradient = context.tensor(2).shape();
  const Shape& filter = context.tensor(1).shape();
  if (sizes.size() == 4 || gradient.rank() != 4 || filter.rank() != 4) return Shape(sizes);
  const ImageLayout layout = LayoutOf(context.node);
  return FromNhwc(Shape({gradient.dim(layout.batch), sizes[0], sizes[1], filter.dim(2)}), layout);
}

void Conv2DBackpropInput(OpContext& context) {
  const Convolution conv = BackwardOf(context, InputSizes(context), context.tensor(1).shape());
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(dtype);
    auto dx = MakeArray<N>(dtype, conv.input_shape());
    BackwardInput(conv, Load<N>(context.input(1)), Load<N>(ToNhwc(context.input(2), conv.layout)), dx);
    context.Output(0, FromNhwc(Store(dx), conv.layout));
  });
}

void Conv2DBackpropFilter(OpContext& context) {
  const Shape filter = ShapeOf(context.tensor(1), "filter_sizes");
  const Convolution conv = BackwardOf(context, context.tensor(0).shape(), filter);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto dw = MakeArray<Real>(dtype, conv.filter_shape());
    BackwardFilter(conv, Load<Real>(ToNhwc(context.input(0), conv.layout)),
                   Load<Real>(ToNhwc(context.input(2), conv.layout)), dw);
    context.Output(0, Store(dw));
  });
}

constexpr KernelRow kRows[] = {
    {"Conv2D", Conv2D, CheckForward},
    {"Conv2DBackpropInput", Conv2DBackpropInput, CheckInputGradient},
    {"Conv2DBackpropFilter", Conv2DBackpropFilter, CheckFilterGradient},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionConv2d() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
