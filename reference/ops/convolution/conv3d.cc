// Convolution of volumes and its two gradients: y[n, o, d] += x[n, i, c]·w[k, c, d] over all taps (i, o, k), each a
// triple of positions along planes, rows and columns. Inside, volumes are NDHWC.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/ops/convolution/volume.h"

namespace plumb::reference {
namespace {

using Taps = std::vector<Tap>;

struct Convolution {
  int64_t batch, in_depth, out_depth;
  VolumeWindows windows;
  VolumeLayout layout;

  Shape input_shape() const { return Shape({batch, windows[0].in, windows[1].in, windows[2].in, in_depth}); }
  Shape output_shape() const { return Shape({batch, windows[0].out, windows[1].out, windows[2].out, out_depth}); }
  Shape filter_shape() const {
    return Shape({windows[0].kernel, windows[1].kernel, windows[2].kernel, in_depth, out_depth});
  }
  int64_t Places() const { return windows[0].kernel * windows[1].kernel * windows[2].kernel; }
};

void CheckAttributes(const Node& node) {
  const VolumeLayout layout = VolumeLayoutOf(node);
  for (const auto* name : {"strides", "dilations"}) {
    const auto steps = FiveInts(node, name);
    Require(steps[layout.batch()] == 1 && steps[layout.channels()] == 1, name,
            " over batch and channels must be 1, at node '", node.name, "'");
    for (const int64_t step : steps) Require(step > 0, name, " must be positive, at node '", node.name, "'");
  }
}

Convolution ConvolutionOf(const Node& node, const Shape& input, const Shape& filter) {
  const VolumeLayout layout = VolumeLayoutOf(node);
  const Shape volume = ToNdhwc(input, layout);
  Require(filter.rank() == 5, "a filter has five dimensions, not the shape ", filter.ToString());
  Require(volume.dim(4) == filter.dim(3), "the volumes have ", volume.dim(4), " channels, the filter is for ",
          filter.dim(3));
  const auto strides = FiveInts(node, "strides"), dilations = FiveInts(node, "dilations");
  const Padding padding{GetAttr<std::string>(node.attrs, "padding")};
  Convolution conv{volume.dim(0), filter.dim(3), filter.dim(4), {}, layout};
  for (int i = 0; i < 3; ++i) {
    const int axis = layout.space(i);
    conv.windows[i] = MakeWindow(volume.dim(1 + i), filter.dim(i), strides[axis], dilations[axis], padding);
  }
  return conv;
}

Convolution BackwardOf(const OpContext& context, const Shape& input, const Shape& filter) {
  const Convolution conv = ConvolutionOf(context.node, input, filter);
  const Shape expected = FromNdhwc(conv.output_shape(), conv.layout);
  Require(context.tensor(2).shape() == expected, "out_backprop has the shape ", context.tensor(2).shape().ToString(),
          ", but the convolution's output has ", expected.ToString());
  // TensorFlow's gradients take an empty filter, unless all products are empty but for the volumes.
  Require(conv.in_depth > 0, "the filter is for no channels: ", filter.ToString());
  bool window_is_empty = false, output_is_empty = false;
  for (const Window& window : conv.windows) {
    window_is_empty = window_is_empty || window.kernel == 0;
    output_is_empty = output_is_empty || window.out == 0;
  }
  const int empty = (window_is_empty ? 1 : 0) + (output_is_empty ? 1 : 0) + (conv.out_depth == 0 ? 1 : 0);
  Require(empty <= 1 || conv.input_shape().elements() == 0, "the filter is empty: ", filter.ToString(),
          ", for an output of ", expected.ToString());
  return conv;
}

// The three members of a meeting that say where the input, the output and the kernel stand.
std::array<int64_t, 3> Sizes(const VolumeWindows& windows, int64_t Window::*member) {
  return {windows[0].*member, windows[1].*member, windows[2].*member};
}

// Calls visit(first input, first output, first weight) for all meetings of volume `n`.
template <class F>
void ForEachMeeting(const Convolution& conv, int64_t n, const Taps& planes, const Taps& rows, const Taps& columns,
                    const F& visit) {
  const auto in = Sizes(conv.windows, &Window::in), out = Sizes(conv.windows, &Window::out),
             kernel = Sizes(conv.windows, &Window::kernel);
  for (const Tap& p : planes) {
    for (const Tap& r : rows) {
      for (const Tap& c : columns) {
        visit(PixelAt(in, n, p.in, r.in, c.in) * conv.in_depth, PixelAt(out, n, p.out, r.out, c.out) * conv.out_depth,
              PixelAt(kernel, 0, p.kernel, r.kernel, c.kernel) * conv.in_depth * conv.out_depth);
      }
    }
  }
}

// Padding may be left out, or multiplied by: where the other factor is not finite, nothing is known of such a sum.
bool HasNonFinite(const Array<Real>& factors) {
  return std::any_of(factors.at.begin(), factors.at.end(), [](Real x) { return !std::isfinite(x.v); });
}
Real OpenIf(bool open, Real sum) { return open ? Real{sum.v, INFINITY, sum.d} : sum; }
int64_t Count(const Taps& planes, const Taps& rows, const Taps& columns) {
  return static_cast<int64_t>(planes.size() * rows.size() * columns.size());
}

void Forward(const Convolution& conv, const Array<Real>& x, const Array<Real>& w, Array<Real>& y) {
  const VolumeTaps taps = TapsBy(conv.windows, &Tap::out);
  const bool infinite = HasNonFinite(w);
  int64_t at = 0;
  for (int64_t n = 0; n < conv.batch; ++n) {
    ForEachGroup(taps, [&](const Taps& planes, const Taps& rows, const Taps& columns) {
      const bool clipped = Count(planes, rows, columns) < conv.Places();
      for (int64_t d = 0; d < conv.out_depth; ++d) {
        Sum sum;
        ForEachMeeting(conv, n, planes, rows, columns, [&](int64_t in, int64_t, int64_t weight) {
          for (int64_t c = 0; c < conv.in_depth; ++c) sum.AddProduct(x[in + c], w[weight + c * conv.out_depth + d]);
        });
        y[at++] = OpenIf(infinite && clipped, sum.Result());
      }
    });
  }
}

void BackwardInput(const Convolution& conv, const Array<Real>& w, const Array<Real>& dy, Array<Real>& dx) {
  const VolumeTaps taps = TapsBy(conv.windows, &Tap::in);
  const bool infinite = HasNonFinite(w) || HasNonFinite(dy);
  int64_t at = 0;
  for (int64_t n = 0; n < conv.batch; ++n) {
    ForEachGroup(taps, [&](const Taps& planes, const Taps& rows, const Taps& columns) {
      const bool clipped = Count(planes, rows, columns) < conv.Places();
      for (int64_t c = 0; c < conv.in_depth; ++c) {
        Sum sum;
        ForEachMeeting(conv, n, planes, rows, columns, [&](int64_t, int64_t out, int64_t weight) {
          for (int64_t d = 0; d < conv.out_depth; ++d) sum.AddProduct(dy[out + d], w[weight + c * conv.out_depth + d]);
        });
        dx[at++] = OpenIf(infinite && clipped, sum.Result());
      }
    });
  }
}

void BackwardFilter(const Convolution& conv, const Array<Real>& x, const Array<Real>& dy, Array<Real>& dw) {
  const VolumeTaps taps = TapsBy(conv.windows, &Tap::kernel);
  const bool infinite = HasNonFinite(dy);
  const int64_t places = conv.windows[0].out * conv.windows[1].out * conv.windows[2].out;
  int64_t at = 0;
  ForEachGroup(taps, [&](const Taps& planes, const Taps& rows, const Taps& columns) {
    const bool clipped = Count(planes, rows, columns) < places;
    for (int64_t c = 0; c < conv.in_depth; ++c) {
      for (int64_t d = 0; d < conv.out_depth; ++d) {
        Sum sum;
        for (int64_t n = 0; n < conv.batch; ++n) {
          ForEachMeeting(conv, n, planes, rows, columns,
                         [&](int64_t in, int64_t out, int64_t) { sum.AddProduct(x[in + c], dy[out + d]); });
        }
        dw[at++] = OpenIf(infinite && clipped, sum.Result());
      }
    }
  });
}

void Conv3D(OpContext& context) {
  const Shape& filter = context.tensor(1).shape();
  const Convolution conv = ConvolutionOf(context.node, context.tensor(0).shape(), filter);
  Require(filter.elements() > 0, "the filter must not be empty: ", filter.ToString());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto y = MakeArray<Real>(dtype, conv.output_shape());
    if (!y.at.empty()) {
      Forward(conv, Load<Real>(ToNdhwc(context.input(0), conv.layout)), Load<Real>(context.input(1)), y);
    }
    context.Output(0, FromNdhwc(Store(y), conv.layout));
  });
}

// The second versions list the sizes, the first ones have a tensor that is of them.
Shape SizesOf(const Tensor& given, const char* what) {
  return IsFloating(given.dtype()) ? given.shape() : ShapeOf(given, what);
}

void Conv3DBackpropInput(OpContext& context) {
  const Convolution conv = BackwardOf(context, SizesOf(context.tensor(0), "input_sizes"), context.tensor(1).shape());
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto dx = MakeArray<Real>(dtype, conv.input_shape());
    if (!dx.at.empty() && conv.filter_shape().elements() > 0) {
      BackwardInput(conv, Load<Real>(context.input(1)), Load<Real>(ToNdhwc(context.input(2), conv.layout)), dx);
    }
    context.Output(0, FromNdhwc(Store(dx), conv.layout));
  });
}

void Conv3DBackpropFilter(OpContext& context) {
  const Convolution conv = BackwardOf(context, context.tensor(0).shape(), SizesOf(context.tensor(1), "filter_sizes"));
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    SumNarrowProductsOf(dtype);
    auto dw = MakeArray<Real>(dtype, conv.filter_shape());
    if (!dw.at.empty()) {
      BackwardFilter(conv, Load<Real>(ToNdhwc(context.input(0), conv.layout)),
                     Load<Real>(ToNdhwc(context.input(2), conv.layout)), dw);
    }
    context.Output(0, Store(dw));
  });
}

constexpr KernelRow kRows[] = {
    {"Conv3D", Conv3D, CheckAttributes},
    {"Conv3DBackpropInput", Conv3DBackpropInput, CheckAttributes},
    {"Conv3DBackpropInputV2", Conv3DBackpropInput, CheckAttributes},
    {"Conv3DBackpropFilter", Conv3DBackpropFilter, CheckAttributes},
    {"Conv3DBackpropFilterV2", Conv3DBackpropFilter, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionConv3d() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
