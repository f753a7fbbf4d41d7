// The axes of an Einsum by their labels: how many elements each label stands for, and what it is to a product of two
// operands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spec/core/shape.h"
#include "spec/ops/matrix/einsum_equation.h"

namespace plumb::fast {

using Labels = std::vector<int>;

bool HasLabel(const Labels& labels, int label);
Labels JoinedLabels(const Labels& a, const Labels& b);
// Each label once, in the order of their first places.
Labels DistinctLabels(const Labels& labels);
// How far apart neighbours along a label are in a tensor of this shape: axes of one label move together.
int64_t StrideAlongLabel(const Shape& shape, const Labels& labels, int label);

// Of one call.
struct EinsumAxes {
  // Throws kInvalidArgument where the operands do not fit the equation, or each other. `node` is for the error.
  EinsumAxes(const EinsumEquation& equation, const std::vector<Shape>& shapes);

  Shape ShapeOf(const Labels& labels) const;
  // The product of their sizes.
  int64_t CountOf(const Labels& labels) const;
  // The labels that anybody but operand i looks at: those of the result and of the other operand.
  Labels WantedBesides(int i) const;
  // R31: whether the result is the one operand, axis by axis, none of which it has twice. Axes that broadcast stand
  // before the others: TensorFlow moves them there and back.
  bool HandsOn() const;

  std::vector<Labels> operands;
  Labels result;
  Shape shape;  // of the result

 private:
  void Record(const Shape& shape, const Labels& labels);

  std::map<int, int64_t> sizes_;
};

// What the distinct labels of two operands are to their product, in the order of the result.
struct ProductRoles {
  ProductRoles(const Labels& a, const Labels& b, const Labels& result);

  Labels batch, left, right, inner;
};

}  // namespace plumb::fast
