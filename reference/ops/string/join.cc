#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/shape_prefix.h"

namespace plumb::reference {
namespace {

// The shape of those that are no scalars, which is one.
Shape JoinedShape(const OpContext& c) {
  Shape joined;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const Shape& shape = c.tensor(i).shape();
    if (shape.rank() == 0) continue;
    Require(joined.rank() == 0 || joined == shape, "input ", i, " has the shape ", shape.ToString(),
            ", but those before have ", joined.ToString());
    joined = shape;
  }
  return joined;
}

void StringJoin(OpContext& c) {
  const std::string& separator = c.attr<std::string>("separator");
  const Shape shape = JoinedShape(c);
  CheckResultSize(shape);
  Tensor joined(DType::kString, shape);
  for (int64_t element = 0; element < shape.elements(); ++element) {
    std::string& text = joined.mutable_data<std::string>()[element];
    for (int i = 0; i < c.num_inputs(); ++i) {
      if (i > 0) text += separator;
      text += c.tensor(i).data<std::string>()[c.tensor(i).rank() == 0 ? 0 : element];
    }
  }
  c.Output(0, std::move(joined));
}

// The axes that are joined, in the order in which they are named; kOutOfRange for one that there is not.
std::vector<int> JoinedAxes(const OpContext& c) {
  const int rank = c.tensor(0).rank();
  std::vector<int> axes;
  for (const int32_t axis : c.tensor(1).data<int32_t>()) {
    if (axis < -rank || axis >= rank) {
      throw OutOfRange("there is no axis ", axis, " to join along in the shape ", c.tensor(0).shape().ToString());
    }
    const int from_front = axis < 0 ? axis + rank : axis;
    Require(std::find(axes.begin(), axes.end(), from_front) == axes.end(), "axis ", axis, " is named twice");
    axes.push_back(from_front);
  }
  return axes;
}

// The axis that is named first is walked through first: [0, 1] reads a matrix column by column.
void ReduceJoin(OpContext& c) {
  const Tensor& input = c.tensor(0);
  const std::string& separator = c.attr<std::string>("separator");
  const std::vector<int> joined = JoinedAxes(c);
  const std::vector<int64_t> strides = Strides(input.shape());
  std::vector<int64_t> kept_dims, kept_strides, result_dims, joined_dims, joined_strides;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const bool is_joined = std::find(joined.begin(), joined.end(), axis) != joined.end();
    if (!is_joined) {
      kept_dims.push_back(input.dim(axis));
      kept_strides.push_back(strides[axis]);
    }
    if (!is_joined || c.attr<bool>("keep_dims")) result_dims.push_back(is_joined ? 1 : input.dim(axis));
  }
  for (auto axis = joined.rbegin(); axis != joined.rend(); ++axis) {
    joined_dims.push_back(input.dim(*axis));
    joined_strides.push_back(strides[*axis]);
  }
  CheckResultSize(Shape(result_dims));
  Tensor result(DType::kString, Shape(result_dims));
  if (input.elements() == 0) return c.Output(0, std::move(result));  // nothing, or empty strings
  const std::vector<int64_t> first = Positions(Shape(kept_dims), kept_strides);
  const std::vector<int64_t> steps = Positions(Shape(joined_dims), joined_strides);
  for (int64_t i = 0; i < result.elements(); ++i) {
    std::string& text = result.mutable_data<std::string>()[i];
    for (size_t j = 0; j < steps.size(); ++j) {
      if (j > 0) text += separator;
      text += input.data<std::string>()[first[i] + steps[j]];
    }
  }
  c.Output(0, std::move(result));
}

void UnsortedSegmentJoin(OpContext& c) {
  const Tensor &inputs = c.tensor(0), &ids = c.tensor(1);
  const std::string& separator = c.attr<std::string>("separator");
  const int64_t segments = ScalarOf(c.tensor(2), "num_segments");
  Require(segments >= 0, "num_segments must not be negative: ", segments);
  Require(ids.rank() > 0, "segment_ids must not be a scalar");
  if (ids.rank() > inputs.rank()) {
    throw OutOfRange("segment_ids has ", ids.rank(), " dimensions, more than inputs with its ", inputs.rank());
  }
  Require(StartsWith(inputs.shape(), ids.shape()), "the shape of inputs, ", inputs.shape().ToString(),
          ", does not start with that of segment_ids, ", ids.shape().ToString());
  const Shape row = Subshape(inputs.shape(), ids.rank(), inputs.rank());
  const Shape shape = WithInserted(row, 0, segments);
  CheckResultSize(shape);
  Tensor joined(DType::kString, shape);
  const std::vector<int64_t> id = ToInt64s(ids);
  for (int64_t i = 0; i < ids.elements(); ++i) {
    Require(id[i] >= 0 && id[i] < segments, "segment_ids[", i, "] = ", id[i], " is not in [0, ", segments, ")");
    for (int64_t j = 0; j < row.elements(); ++j) {
      std::string& text = joined.mutable_data<std::string>()[id[i] * row.elements() + j];
      if (!text.empty()) text += separator;
      text += inputs.data<std::string>()[i * row.elements() + j];
    }
  }
  c.Output(0, std::move(joined));
}

constexpr KernelRow kRows[] = {
    {"StringJoin", StringJoin},
    {"ReduceJoin", ReduceJoin},
    {"UnsortedSegmentJoin", UnsortedSegmentJoin},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringJoin() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
