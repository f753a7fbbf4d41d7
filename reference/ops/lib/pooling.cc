#include "reference/ops/lib/pooling.h"

#include "reference/numbers/index.h"

namespace plumb::reference {

namespace {

using Extents = std::vector<int64_t>;

// A layout that TensorFlow has no kernel for is a wrong argument to it, whatever the windows are.
template <class... P>
Error Unsupported(const Node& node, const P&... what) {
  const bool known = LayoutOf(node).channels == 3;
  return Error(known ? Code::kUnimplemented : Code::kInvalidArgument,
               Str(what..., " is not supported, at node '", node.name, "'"));
}

void CheckBatch(const Node& node, const Extents& sizes, const Extents& strides) {
  Require(sizes.size() == 4 && strides.size() == 4, "ksize and strides must have four entries, not ", sizes.size(),
          " and ", strides.size(), ", at node '", node.name, "'");
  const int batch = LayoutOf(node).batch;
  if (sizes[batch] != 1 || strides[batch] != 1) throw Unsupported(node, "pooling over the batch");
}

void CheckDepth(const Node& node, const Extents& sizes, const Extents& strides) {
  CheckBatch(node, sizes, strides);
  const int channels = LayoutOf(node).channels;
  if (sizes[channels] != 1 || strides[channels] != 1) {
    throw Unsupported(node, "the gradient of pooling over channels");
  }
}

void CheckPositive(const Node& node, const Extents& sizes) {
  for (const int64_t size : sizes) {
    Require(size > 0, "windows must not be of size ", size, ", at node '", node.name, "'");
  }
}

// The attribute of this name or, where there is none, the values of the input that is `from_last` before the last.
std::vector<int64_t> IntsOf(const OpContext& context, const char* name, int from_last) {
  if (context.node.attrs.contains(name)) return FourInts(context.node, name);
  const Tensor& values = context.tensor(context.num_inputs() - 1 - from_last);
  return ToInt64s(values);  // in whatever shape (pooling_ops_common.cc)
}

// Windows extend over the plane or over the channels, not both; those over channels tile them. The stride of windows
// that are one channel deep is not looked at (PoolParameters in TensorFlow's pooling_ops_common.cc).
Window DepthOf(const Node& node, int64_t channels, int64_t size, int64_t stride, bool over_plane) {
  if (size == 1) return {.in = channels, .out = channels};
  if (over_plane) throw Unsupported(node, "pooling over channels and over the plane at once");
  if (size < 1 || channels % size != 0 || size != stride) {
    throw Unsupported(node, "pooling ", channels, " channels by windows of ", size, " at strides of ", stride);
  }
  return {.in = channels, .kernel = size, .stride = stride, .out = channels / size};
}

// A window that begins where one of one element does, and ends before.
Window EmptyWindow(int64_t in, int64_t size, int64_t stride, const Padding& padding) {
  Window window = MakeWindow(padding.kind == "VALID" ? in - size : in, /*kernel=*/0, stride, 1, padding);
  window.in = in;
  return window;
}

}  // namespace

void CheckBatchPooling(const Node& node) { CheckBatch(node, FourInts(node, "ksize"), FourInts(node, "strides")); }

void CheckPooling(const Node& node) {
  CheckBatchPooling(node);
  CheckPositive(node, FourInts(node, "ksize"));
}

void CheckMaxPooling(const Node& node) {
  CheckPaddings(node);
  CheckPositive(node, FourInts(node, "ksize"));
  CheckBatchPooling(node);
}

void CheckPlanePooling(const Node& node) { CheckDepth(node, FourInts(node, "ksize"), FourInts(node, "strides")); }

void CheckPlanePooling(const OpContext& context) {
  CheckDepth(context.node, IntsOf(context, "ksize", 1), IntsOf(context, "strides", 0));
}

Pooling PoolingOf(const OpContext& context, const Shape& input, bool may_be_empty) {
  const ImageLayout layout = LayoutOf(context.node);
  const auto sizes = IntsOf(context, "ksize", 1), strides = IntsOf(context, "strides", 0);
  CheckBatch(context.node, sizes, strides);
  const Shape image = ToNhwc(input, layout);
  const Window depth = DepthOf(context.node, image.dim(3), sizes[layout.channels], strides[layout.channels],
                               sizes[layout.height] != 1 || sizes[layout.width] != 1);
  const auto window = [&](int axis, int nhwc_axis) {
    const Padding padding = PaddingOf(context.node, axis);
    const bool is_empty = sizes[axis] <= 0 && may_be_empty && padding.kind != "EXPLICIT";
    Require((sizes[axis] > 0 || is_empty) && strides[axis] > 0, "windows must not be of size ", sizes[axis],
            " at strides of ", strides[axis]);
    if (is_empty) return EmptyWindow(image.dim(nhwc_axis), sizes[axis], strides[axis], padding);
    Require(padding.before < sizes[axis] && padding.after < sizes[axis], "a padding of ", padding.before, " and ",
            padding.after, " leaves windows of ", sizes[axis], " without any element");
    return MakeWindow(image.dim(nhwc_axis), sizes[axis], strides[axis], 1, padding);
  };
  return {image.dim(0), window(layout.height, 1), window(layout.width, 2), depth, layout};
}

void CheckPlane(const OpContext& context, const Pooling& pool) {
  if (pool.depth.kernel != 1) throw Unsupported(context.node, "pooling over channels");
}

void CheckGradient(const Pooling& pool, const Tensor& tensor, std::string_view what) {
  const Shape expected = FromNhwc(pool.output_shape(), pool.layout);
  Require(tensor.shape() == expected, what, " has the shape ", tensor.shape().ToString(),
          ", but the pooled images have ", expected.ToString());
}

}  // namespace plumb::reference
