#include "reference/ops/convolution/volume.h"

#include "reference/numbers/index.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {

VolumeLayout VolumeLayoutOf(const Node& node) {
  const std::string format = GetAttrOr<std::string>(node.attrs, "data_format", "NDHWC");
  Require(format == "NDHWC" || format == "NCDHW", "data_format must be NDHWC or NCDHW, not ", format);
  return format == "NDHWC" ? VolumeLayout{{0, 1, 2, 3, 4}} : VolumeLayout{{0, 2, 3, 4, 1}};
}

Shape ToNdhwc(const Shape& shape, const VolumeLayout& layout) {
  Require(shape.rank() == 5, "a batch of volumes has five dimensions, not the shape ", shape.ToString());
  std::vector<int64_t> dims;
  for (const int axis : layout.axes) dims.push_back(shape.dim(axis));
  return Shape(dims);
}

Shape FromNdhwc(const Shape& shape, const VolumeLayout& layout) {
  std::vector<int64_t> dims(5);
  for (int i = 0; i < 5; ++i) dims[layout.axes[i]] = shape.dim(i);
  return Shape(dims);
}

Value ToNdhwc(const Value& value, const VolumeLayout& layout) {
  const Shape shape = ToNdhwc(value.tensor.shape(), layout);
  const auto own = Strides(value.tensor.shape());
  std::vector<int64_t> strides;
  for (const int axis : layout.axes) strides.push_back(own[axis]);
  return layout.channels() == 4 ? value : Gathered(value, shape, Positions(shape, strides));
}

Value FromNdhwc(const Value& value, const VolumeLayout& layout) {
  const Shape shape = FromNdhwc(value.tensor.shape(), layout);
  const auto to = Strides(shape);
  std::vector<int64_t> strides;
  for (const int axis : layout.axes) strides.push_back(to[axis]);
  return layout.channels() == 4 ? value : Scattered(value, shape, Positions(value.tensor.shape(), strides));
}

std::vector<int64_t> FiveInts(const Node& node, std::string_view name) {
  auto list = Int32List(node, name);
  Require(list.size() == 5, name, " must have five entries, not ", list.size());
  return list;
}

VolumeTaps TapsBy(const VolumeWindows& windows, int64_t Tap::*member) {
  return {windows[0].TapsBy(member), windows[1].TapsBy(member), windows[2].TapsBy(member)};
}

namespace {

void CheckSizes(const Node& node) {
  for (const int64_t size : FiveInts(node, "ksize")) {
    Require(size > 0, "windows must not be of size ", size, ", at node '", node.name, "'");
  }
}

// To TensorFlow, a layout without a kernel is a wrong argument whatever the windows are.
void CheckBatchAndChannels(const Node& node) {
  const auto sizes = FiveInts(node, "ksize"), strides = FiveInts(node, "strides");
  const VolumeLayout layout = VolumeLayoutOf(node);
  for (const int axis : {layout.batch(), layout.channels()}) {
    if (sizes[axis] == 1 && strides[axis] == 1) continue;
    throw Error(layout.channels() == 4 ? Code::kUnimplemented : Code::kInvalidArgument,
                Str("pooling is not supported over batch or channels, at node '", node.name, "'"));
  }
}

}  // namespace

void CheckVolumePooling(const Node& node) {
  CheckSizes(node);
  CheckBatchAndChannels(node);
}

void CheckVolumePoolingGradient(const Node& node) {
  CheckBatchAndChannels(node);
  CheckSizes(node);
}

VolumePooling VolumePoolingOf(const Node& node, const Shape& input) {
  const VolumeLayout layout = VolumeLayoutOf(node);
  const Shape volume = ToNdhwc(input, layout);
  const auto sizes = FiveInts(node, "ksize"), strides = FiveInts(node, "strides");
  const Padding padding{GetAttr<std::string>(node.attrs, "padding")};
  VolumePooling pool{volume.dim(0), volume.dim(4), {}, layout};
  for (int i = 0; i < 3; ++i) {
    const int axis = layout.space(i);
    pool.windows[i] = MakeWindow(volume.dim(1 + i), sizes[axis], strides[axis], 1, padding);
  }
  return pool;
}

void CheckGradient(const VolumePooling& pool, const Tensor& tensor, std::string_view what) {
  const Shape expected = FromNdhwc(pool.output_shape(), pool.layout);
  Require(tensor.shape() == expected, what, " has the shape ", tensor.shape().ToString(),
          ", but the pooled volumes have ", expected.ToString());
}

}  // namespace plumb::reference
