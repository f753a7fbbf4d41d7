#include "fastpath/formulas/matrix/einsum_axes.h"

#include <algorithm>

#include "spec/core/status.h"

namespace plumb::fast {

bool HasLabel(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Labels JoinedLabels(const Labels& a, const Labels& b) {
  Labels joined = a;
  joined.insert(joined.end(), b.begin(), b.end());
  return joined;
}

Labels DistinctLabels(const Labels& labels) {
  Labels distinct;
  for (const int label : labels) {
    if (!HasLabel(distinct, label)) distinct.push_back(label);
  }
  return distinct;
}

int64_t StrideAlongLabel(const Shape& shape, const Labels& labels, int label) {
  uint64_t stride = 1, sum = 0;  // they wrap around in a shape that is empty as a whole
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (labels[static_cast<size_t>(axis)] == label) sum += stride;
    stride *= static_cast<uint64_t>(shape[axis]);
  }
  return static_cast<int64_t>(sum);
}

EinsumAxes::EinsumAxes(const EinsumEquation& equation, const std::vector<Shape>& shapes) {
  Require(shapes.size() == equation.operands.size(), "the equation has ", equation.operands.size(), " operands, not ",
          shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    operands.push_back(equation.operands[i].LabelsOfAxes(shapes[i].rank()));
    Record(shapes[i], operands.back());
  }
  result = equation.LabelsOfResult(operands);
  shape = ShapeOf(result);
}

void EinsumAxes::Record(const Shape& of, const Labels& labels) {
  for (int axis = 0; axis < of.rank(); ++axis) {
    const int label = labels[static_cast<size_t>(axis)];
    const auto [known, is_new] = sizes_.emplace(label, of[axis]);
    if (IsBroadcast(label) && known->second == 1) known->second = of[axis];
    Require(known->second == of[axis] || (IsBroadcast(label) && of[axis] == 1), "axis ", axis, " of ", of.ToString(),
            " meets an axis of the same label with ", known->second, " elements");
  }
}

Shape EinsumAxes::ShapeOf(const Labels& labels) const {
  std::vector<int64_t> dims;
  for (const int label : labels) dims.push_back(sizes_.at(label));
  return Shape(dims);
}

int64_t EinsumAxes::CountOf(const Labels& labels) const {
  uint64_t count = 1;
  for (const int label : labels) count *= static_cast<uint64_t>(sizes_.at(label));
  return static_cast<int64_t>(count);
}

Labels EinsumAxes::WantedBesides(int i) const {
  return operands.size() == 1 ? result : JoinedLabels(result, operands[static_cast<size_t>(1 - i)]);
}

bool EinsumAxes::HandsOn() const {
  return operands.size() == 1 && operands[0] == result && DistinctLabels(result).size() == result.size() &&
         std::is_partitioned(result.begin(), result.end(), IsBroadcast);
}

ProductRoles::ProductRoles(const Labels& a, const Labels& b, const Labels& result) {
  for (const int label : DistinctLabels(result)) {
    if (HasLabel(a, label) && HasLabel(b, label)) batch.push_back(label);
    if (HasLabel(a, label) && !HasLabel(b, label)) left.push_back(label);
    if (!HasLabel(a, label) && HasLabel(b, label)) right.push_back(label);
  }
  for (const int label : a) {
    if (!HasLabel(batch, label) && !HasLabel(left, label)) inner.push_back(label);
  }
}

}  // namespace plumb::fast
