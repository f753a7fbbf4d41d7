// Pooling: the largest element or the mean of each window. Inside, images are in the order batch, height, width,
// channels; windows may extend over channels too.
#include <limits>

#include "reference/element.h"
#include "reference/index.h"
#include "reference/ops/pooling.h"
#include "reference/ops/window.h"

namespace plumb::reference {
namespace {

struct Pooling {
  int64_t batch;
  Window height, width, depth;
  ImageLayout layout;

  Shape input_shape() const { return Shape({batch, height.in, width.in, depth.in}); }
  Shape output_shape() const { return Shape({batch, height.out, width.out, depth.out}); }
};

Pooling PoolingOf(const OpContext& context, const Shape& input) {
  const ImageLayout layout = LayoutOf(context.node);
  const Shape image = ToNhwc(input, layout);
  const auto sizes = FourInts(context.node, "ksize"), strides = FourInts(context.node, "strides");
  const auto window = [&](int axis, int nhwc_axis) {
    const Padding padding = PaddingOf(context.node, axis);
    Require(padding.before < sizes[axis] && padding.after < sizes[axis], "a padding of ", padding.before, " and ",
            padding.after, " leaves windows of ", sizes[axis], " without any element");
    return MakeWindow(image.dim(nhwc_axis), sizes[axis], strides[axis], 1, padding);
  };
  return {image.dim(0), window(layout.height, 1), window(layout.width, 2), window(layout.channels, 3), layout};
}

// Windows extend over the plane or over the channels, not both; those over channels tile them.
void CheckDepthwise(const Pooling& pool) {
  const Window& depth = pool.depth;
  if (depth.kernel == 1 && depth.stride == 1) return;
  if (pool.height.kernel != 1 || pool.width.kernel != 1) {
    throw Unimplemented("pooling over channels and over the plane at once is not supported");
  }
  if (depth.in % depth.kernel != 0 || depth.kernel != depth.stride) {
    throw Unimplemented("pooling over channels needs windows that divide them evenly: ", depth.in, " channels, size ",
                        depth.kernel, ", stride ", depth.stride);
  }
}

void CheckPlane(const Pooling& pool) {
  if (pool.depth.kernel != 1 || pool.depth.stride != 1) {
    throw Unimplemented("pooling over channels is not supported here");
  }
}

// Calls visit(output position, input positions of its window, in row-major order) for every window.
template <class F>
void ForEachWindow(const Pooling& pool, F visit) {
  if (pool.output_shape().elements() == 0) return;
  const auto rows = pool.height.TapsBy(&Tap::out), columns = pool.width.TapsBy(&Tap::out);
  const auto channels = pool.depth.TapsBy(&Tap::out);
  std::vector<int64_t> window;
  int64_t output = 0;
  for (int64_t n = 0; n < pool.batch; ++n) {
    for (const auto& row_taps : rows) {
      for (const auto& column_taps : columns) {
        for (const auto& channel_taps : channels) {
          window.clear();
          for (const Tap& row : row_taps) {
            for (const Tap& column : column_taps) {
              const int64_t pixel = (n * pool.height.in + row.in) * pool.width.in + column.in;
              for (const Tap& channel : channel_taps) window.push_back(pixel * pool.depth.in + channel.in);
            }
          }
          visit(output++, window);
        }
      }
    }
  }
}

// What a window without any larger element yields.
Real Lowest(DType dtype, TypeTag<Real>) {
  switch (dtype) {
    case DType::kHalf:
      return -65504;
    case DType::kBfloat16:
      return -0x1.fep127;
    case DType::kFloat:
      return -std::numeric_limits<float>::max();
    default:
      return -std::numeric_limits<double>::max();
  }
}
Integer Lowest(DType dtype, TypeTag<Integer>) {
  Integer lowest = 0;
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) lowest = std::numeric_limits<T>::min();
  });
  return lowest;
}

// The first of the largest elements of a window, or -1. NaN is larger than nothing (rules N12–N15).
template <class N>
int64_t Largest(const Array<N>& x, const std::vector<int64_t>& window, N lowest) {
  int64_t largest = -1;
  for (const int64_t i : window) {
    if (x[i] > (largest < 0 ? lowest : x[largest])) largest = i;
  }
  return largest;
}

// Where a window's gradient goes: to its first element, unless a later one is larger. Nothing is larger than NaN.
template <class N>
int64_t Chosen(const Array<N>& x, const std::vector<int64_t>& window) {
  int64_t chosen = window.at(0);
  for (const int64_t i : window) {
    if (x[i] > x[chosen]) chosen = i;
  }
  return chosen;
}

// The largest element may be any of the window as far as their bounds allow.
Real Pooled(const Array<Real>& x, const std::vector<int64_t>& window, Real largest) {
  for (const int64_t i : window) largest.e = std::max(largest.e, x[i].e);
  return largest;
}
Integer Pooled(const Array<Integer>&, const std::vector<int64_t>&, Integer largest) { return largest; }

void CheckGradient(const Pooling& pool, const Tensor& tensor, std::string_view what) {
  const Shape expected = FromNhwc(pool.output_shape(), pool.layout);
  Require(tensor.shape() == expected, what, " has the shape ", tensor.shape().ToString(),
          ", but the pooled images have ", expected.ToString());
}

}  // namespace

void CheckPooling(const Node& node) {
  const auto sizes = FourInts(node, "ksize"), strides = FourInts(node, "strides");
  const int batch = LayoutOf(node).batch;
  if (sizes[batch] != 1 || strides[batch] != 1) {
    throw Unimplemented("pooling is not supported on the batch dimension, at node '", node.name, "'");
  }
  for (int i = 0; i < 4; ++i) {
    Require(sizes[i] > 0 && strides[i] > 0, "sizes and strides of a window must be positive, not ", sizes[i], " and ",
            strides[i], ", at node '", node.name, "'");
  }
}

void MaxPool(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckDepthwise(pool);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout));
    const N lowest = Lowest(dtype, kind);
    auto y = MakeArray<N>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const int64_t largest = Largest(x, window, lowest);
      y[output] = Pooled(x, window, largest < 0 ? lowest : x[largest]);
    });
    context.Output(0, FromNhwc(Store(y), pool.layout));
  });
}

// Each gradient goes to the element that its window chose.
void MaxPoolGrad(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(pool);
  CheckGradient(pool, context.tensor(1), "orig_output");
  CheckGradient(pool, context.tensor(2), "grad");
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout)), dy = Load<N>(ToNhwc(context.input(2), pool.layout));
    std::vector<SumOf<N>> sums(x.at.size());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      if (!window.empty()) sums[Chosen(x, window)].Add(dy[output]);
    });
    auto dx = MakeArray<N>(dtype, pool.input_shape());
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNhwc(Store(dx), pool.layout));
  });
}

// The gradient that stands where the window first holds its largest element.
void MaxPoolGradGrad(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(pool);
  CheckGradient(pool, context.tensor(1), "orig_output");
  Require(context.tensor(2).shape() == context.tensor(0).shape(), "grad has the shape ",
          context.tensor(2).shape().ToString(), ", but the images have ", context.tensor(0).shape().ToString());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout)), y = Load<N>(ToNhwc(context.input(1), pool.layout));
    const auto gradient = Load<N>(ToNhwc(context.input(2), pool.layout));
    auto result = MakeArray<N>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const auto found = std::find_if(window.begin(), window.end(), [&](int64_t i) { return x[i] == y[output]; });
      result[output] = found == window.end() ? N(0) : gradient[*found];
    });
    context.Output(0, FromNhwc(Store(result), pool.layout));
  });
}

// The mean of the elements that are inside the image.
void AvgPool(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(pool);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNhwc(context.input(0), pool.layout));
    auto y = MakeArray<Real>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      Sum sum;
      for (const int64_t i : window) sum.Add(x[i]);
      y[output] = sum.Result() / Real(static_cast<double>(window.size()));
    });
    context.Output(0, FromNhwc(Store(y), pool.layout));
  });
}

void AvgPoolGrad(OpContext& context) {
  const Pooling pool = PoolingOf(context, reference::ShapeOf(context.tensor(0), "orig_input_shape"));
  CheckPlane(pool);
  CheckGradient(pool, context.tensor(1), "grad");
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto dy = Load<Real>(ToNhwc(context.input(1), pool.layout));
    auto dx = MakeArray<Real>(dtype, pool.input_shape());
    std::vector<Sum> sums(dx.at.size());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const Real share = dy[output] / Real(static_cast<double>(window.size()));
      for (const int64_t i : window) sums[i].Add(share);
    });
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNhwc(Store(dx), pool.layout));
  });
}

}  // namespace plumb::reference
