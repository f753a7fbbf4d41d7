#include "fastpath/gpu/convolution/dnn_shapes.h"

#include <algorithm>
#include <limits>

#include "spec/core/shape.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kMost = std::numeric_limits<int>::max();

std::vector<WindowAxis> AxesOf(const PatchGrid& grid) {
  if (!grid.from.is_volume) return {grid.rows, grid.columns};
  return {grid.planes, grid.rows, grid.columns};
}

std::vector<int64_t> SizesOf(const ImageBatch& batch) {
  if (!batch.is_volume) return {batch.images, batch.depth, batch.rows, batch.columns};
  return {batch.images, batch.depth, batch.planes, batch.rows, batch.columns};
}

// Whether cuDNN counts so many elements.
bool IsCounted(const std::vector<int64_t>& sizes) {
  int64_t elements = 1;
  for (const int64_t size : sizes) {
    const auto product = CheckedMultiply(elements, size);
    if (!product || *product > kMost) return false;
    elements = *product;
  }
  return true;
}

// The axes from the outermost on, of memory without gaps.
std::vector<size_t> OrderOf(size_t axes, bool channels_first) {
  std::vector<size_t> order{0};
  if (channels_first) order.push_back(1);
  for (size_t axis = 2; axis < axes; ++axis) order.push_back(axis);
  if (!channels_first) order.push_back(1);
  return order;
}

std::vector<int64_t> StridesOf(const std::vector<int64_t>& sizes, const std::vector<size_t>& order) {
  std::vector<int64_t> strides(sizes.size());
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= sizes[order[i]];
  }
  return strides;
}

DnnOperand OperandOf(const ImageBatch& batch, const std::vector<DnnPadding>& padding, bool channels_first) {
  DnnOperand operand;
  operand.sizes = operand.padded = SizesOf(batch);
  for (size_t i = 0; i < padding.size(); ++i) operand.padded[i + 2] += padding[i].before + padding[i].after;
  operand.is_counted = IsCounted(operand.padded);
  if (!operand.is_counted) return operand;
  operand.strides = StridesOf(operand.sizes, OrderOf(operand.sizes.size(), batch.channels_first));
  const std::vector<int64_t> strides = StridesOf(operand.padded, OrderOf(operand.sizes.size(), channels_first));
  for (size_t i = 0; i < padding.size(); ++i) operand.first += padding[i].before * strides[i + 2];
  const bool is_one_line = batch.depth == 1 || batch.pixels() == 1;
  operand.lies_alike = operand.padded == operand.sizes && (batch.channels_first == channels_first || is_one_line);
  return operand;
}

// The op has it as [space, channels in, channels out].
DnnOperand FilterOf(const PatchGrid& grid, const std::vector<WindowAxis>& axes) {
  DnnOperand operand;
  operand.sizes = {grid.to.depth, grid.depth};
  std::vector<size_t> order;
  for (const WindowAxis& axis : axes) {
    order.push_back(operand.sizes.size());
    operand.sizes.push_back(axis.window);
  }
  order.insert(order.end(), {1, 0});
  operand.padded = operand.sizes;
  operand.is_counted = IsCounted(operand.sizes);
  if (operand.is_counted) operand.strides = StridesOf(operand.sizes, order);
  return operand;
}

// Adds numbers to a list of cuDNN's; false where one does not fit.
template <class Numbers>
bool Narrow(const Numbers& numbers, std::vector<int>& to) {
  for (const int64_t number : numbers) {
    if (number > kMost) return false;
    to.push_back(static_cast<int>(number));
  }
  return true;
}

}  // namespace

// Where padding of both sides as before the axis gives as many windows, what lies behind them is not seen. Else there
// is more on one side.
DnnPadding PaddingOf(const WindowAxis& axis) {
  const int64_t extent = (axis.window - 1) * axis.dilation + 1;
  const int64_t seen = (axis.output - 1) * axis.stride + extent, padded = axis.input + 2 * axis.before;
  if (padded < seen) return {axis.before, 0, seen - padded};
  if ((padded - extent) / axis.stride + 1 == axis.output) return {axis.before, 0, 0};
  const int64_t after = std::max<int64_t>(0, seen - axis.before - axis.input);
  return {after, axis.before - after, 0};
}

int64_t DnnOperand::elements() const {
  int64_t elements = 1;
  for (const int64_t size : padded) elements *= size;
  return elements;
}

Walk DnnOperand::WalkTo(bool channels_first) const {
  const std::vector<size_t> order = OrderOf(sizes.size(), channels_first);
  const std::vector<int64_t> to = StridesOf(padded, order);
  Walk walk;
  for (const size_t axis : order) AddAxis(walk, sizes[axis], strides[axis], to[axis]);
  return walk;
}

DnnShapes::DnnShapes(const PatchGrid& grid, bool channels_first)
    : grid_(grid), channels_first_(channels_first), axes_(AxesOf(grid)) {
  for (const WindowAxis& axis : axes_) padding_.push_back(PaddingOf(axis));
  images_ = OperandOf(grid.from, padding_, channels_first);
  results_ = OperandOf(grid.to, {}, channels_first);
  filter_ = FilterOf(grid, axes_);
}

const DnnOperand& DnnShapes::operand(DnnRole role) const {
  return role == DnnRole::kImages ? images_ : role == DnnRole::kFilter ? filter_ : results_;
}

std::optional<DnnProblem> DnnShapes::ProblemOf(DnnPass pass, DType type) const {
  DnnProblem problem;
  problem.pass = pass;
  problem.type = type;
  problem.channels_first = channels_first_;
  bool fits = images_.is_counted && filter_.is_counted && results_.is_counted && grid_.groups <= kMost;
  if (!fits) return std::nullopt;
  problem.groups = static_cast<int>(grid_.groups);
  fits = Narrow(images_.padded, problem.x) && Narrow(filter_.padded, problem.w) && Narrow(results_.padded, problem.y);
  for (size_t i = 0; fits && i < axes_.size(); ++i) {
    fits = Narrow(std::initializer_list<int64_t>{padding_[i].both}, problem.padding) &&
           Narrow(std::initializer_list<int64_t>{axes_[i].stride}, problem.step) &&
           Narrow(std::initializer_list<int64_t>{axes_[i].dilation}, problem.spacing);
  }
  return fits ? std::optional(problem) : std::nullopt;
}

}  // namespace plumb::fast::GPU_NAMESPACE
