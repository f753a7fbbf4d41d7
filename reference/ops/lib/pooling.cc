#include "reference/ops/lib/pooling.h"

#include "reference/numbers/index.h"

namespace plumb::reference {

namespace {

void CheckSizes(const Node& node, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  Require(sizes.size() == 4 && strides.size() == 4, "ksize and strides must have four entries, not ", sizes.size(),
          " and ", strides.size(), ", at node '", node.name, "'");
  const int batch = LayoutOf(node).batch;
  if (sizes[batch] != 1 || strides[batch] != 1) {
    throw Unimplemented("pooling is not supported on the batch dimension, at node '", node.name, "'");
  }
  for (int i = 0; i < 4; ++i) {
    Require(sizes[i] > 0 && strides[i] > 0, "sizes and strides of a window must be positive, not ", sizes[i], " and ",
            strides[i], ", at node '", node.name, "'");
  }
}

// The attribute of this name or, where there is none, the values of the input that is `from_last` before the last.
std::vector<int64_t> IntsOf(const OpContext& context, const char* name, int from_last) {
  if (context.node.attrs.contains(name)) return FourInts(context.node, name);
  const Tensor& values = context.tensor(context.num_inputs() - 1 - from_last);
  Require(values.rank() == 1, name, " must be a vector, not of shape ", values.shape().ToString());
  return IntegersOf(values, name);
}

// Windows extend over the plane or over the channels, not both; those over channels tile them.
Window DepthOf(int64_t channels, int64_t size, int64_t stride, bool over_plane) {
  if (size == 1 && stride == 1) return {.in = channels, .out = channels};
  if (over_plane) throw Unimplemented("pooling over channels and over the plane at once is not supported");
  if (channels % size != 0 || size != stride) {
    throw Unimplemented("pooling over channels needs windows that divide them evenly: ", channels, " channels, size ",
                        size, ", stride ", stride);
  }
  return {.in = channels, .kernel = size, .stride = stride, .out = channels / size};
}

}  // namespace

void CheckPooling(const Node& node) { CheckSizes(node, FourInts(node, "ksize"), FourInts(node, "strides")); }

Pooling PoolingOf(const OpContext& context, const Shape& input) {
  const ImageLayout layout = LayoutOf(context.node);
  const Shape image = ToNhwc(input, layout);
  const auto sizes = IntsOf(context, "ksize", 1), strides = IntsOf(context, "strides", 0);
  CheckSizes(context.node, sizes, strides);
  const Window depth = DepthOf(image.dim(3), sizes[layout.channels], strides[layout.channels],
                               sizes[layout.height] != 1 || sizes[layout.width] != 1);
  const auto window = [&](int axis, int nhwc_axis) {
    const Padding padding = PaddingOf(context.node, axis);
    Require(padding.before < sizes[axis] && padding.after < sizes[axis], "a padding of ", padding.before, " and ",
            padding.after, " leaves windows of ", sizes[axis], " without any element");
    return MakeWindow(image.dim(nhwc_axis), sizes[axis], strides[axis], 1, padding);
  };
  return {image.dim(0), window(layout.height, 1), window(layout.width, 2), depth, layout};
}

void CheckPlane(const Pooling& pool) {
  if (pool.depth.kernel != 1 || pool.depth.stride != 1) {
    throw Unimplemented("pooling over channels is not supported here");
  }
}

void CheckGradient(const Pooling& pool, const Tensor& tensor, std::string_view what) {
  const Shape expected = FromNhwc(pool.output_shape(), pool.layout);
  Require(tensor.shape() == expected, what, " has the shape ", tensor.shape().ToString(),
          ", but the pooled images have ", expected.ToString());
}

}  // namespace plumb::reference
