#include <algorithm>
#include <map>
#include <numeric>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/matrix/einsum_equation.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Shape and labels of an operand's broadcasting axes; the sizes of its named ones go to `sizes`.
PartialShape RecordAxes(const ShapeContext& c, const PartialShape& shape, const std::vector<int>& labels,
                        std::map<int, int64_t>& sizes) {
  std::vector<int64_t> broadcasting;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (IsBroadcast(labels[axis])) {
      broadcasting.push_back(shape.dim(axis));
      continue;
    }
    const auto [known, is_new] = sizes.emplace(labels[axis], shape.dim(axis));
    if (!is_new) known->second = MergeDims(c, known->second, shape.dim(axis));
  }
  return PartialShape(std::move(broadcasting));
}

// An operand of unknown rank has its named axes at least.
PartialShape ShapeOfOperand(const ShapeContext& c, int i, const EinsumSubscript& subscript) {
  const PartialShape& shape = c.input(i);
  return shape.has_rank() ? shape : PartialShape::OfRank(static_cast<int>(subscript.labels.size()));
}

Shapes EinsumShapes(const ShapeContext& c) {
  const EinsumEquation equation = ParseEinsum(c.attr<std::string>("equation"));
  const int count = static_cast<int>(equation.operands.size());
  Require(c.num_inputs() == count, "an Einsum of '", c.attr<std::string>("equation"), "' has ", count,
          " operands, not ", c.num_inputs());
  std::map<int, int64_t> sizes;
  std::vector<std::vector<int>> labels;
  PartialShape broadcast{};
  bool is_open = false;  // whether the rank of the broadcasting part is unknown
  for (int i = 0; i < count; ++i) {
    const EinsumSubscript& subscript = equation.operands[i];
    const PartialShape shape = ShapeOfOperand(c, i, subscript);
    labels.push_back(subscript.LabelsOfAxes(shape.rank()));
    const PartialShape part = RecordAxes(c, shape, labels.back(), sizes);
    broadcast = i == 0 ? part : Broadcast(c, broadcast, part);
    is_open = is_open || (subscript.has_ellipsis() && !c.input(i).has_rank());
  }
  const std::vector<int> result = equation.LabelsOfResult(labels);
  if (is_open && equation.result.has_ellipsis()) return {PartialShape::Unknown()};
  std::vector<int64_t> dims;
  for (const int label : result) {
    dims.push_back(IsBroadcast(label) ? broadcast.dim(broadcast.rank() - 1 - (label - kBroadcast)) : sizes.at(label));
  }
  return {PartialShape(std::move(dims))};
}

// ---- Gradient ------------------------------------------------------------------------------------------------------

Endpoint Einsum(Gradient& g, const std::vector<Endpoint>& inputs, const std::string& equation) {
  return g.Call("Einsum", inputs, {{"equation", equation}, {"N", static_cast<int64_t>(inputs.size())}});
}

// The size of the leftmost axis with this label, as a vector of one.
Endpoint SizeOf(Gradient& g, Endpoint shape, const EinsumSubscript& subscript, char label) {
  const int place = static_cast<int>(subscript.labels.find(label));
  const bool from_end = subscript.has_ellipsis() && place >= subscript.ellipsis;
  const int axis = from_end ? place - static_cast<int>(subscript.labels.size()) : place;
  return Part(g, shape, axis, axis + 1);
}

// The labels of `subscript`, each once, that occur in none of the others.
std::string OwnLabels(const EinsumSubscript& subscript, const std::string& others) {
  std::string own;
  for (const char label : subscript.labels) {
    if (others.find(label) == std::string::npos && own.find(label) == std::string::npos) own += label;
  }
  return own;
}

// The gradient of an operand whose labels `summed` were added up to those of `gradient`: the same for each term of the
// sum, which is its product with ones.
Endpoint Spread(Gradient& g, Endpoint gradient, const std::string& labels, const std::string& summed, Endpoint shape,
                const EinsumSubscript& operand) {
  if (summed.empty()) return Einsum(g, {gradient}, labels + "->" + operand.ToString());
  std::vector<Endpoint> sizes;
  for (const char label : summed) sizes.push_back(SizeOf(g, shape, operand, label));
  const Endpoint dims = sizes.size() == 1 ? sizes.front() : Concat(g, sizes);
  const Endpoint ones = g.Call("Fill", {dims, g.Scalar(1, g.dtype(gradient))});
  return Einsum(g, {ones, gradient}, summed + "," + labels + "->" + operand.ToString());
}

Values UnaryGradient(Gradient& g, const EinsumEquation& equation) {
  const EinsumSubscript& operand = equation.operands[0];
  const std::string summed = OwnLabels(operand, equation.result.labels);
  return {Spread(g, g.dy(), equation.result.ToString(), summed, g.ShapeOf(g.x(0)), operand)};
}

// Of operand `i`, before broadcasting is undone.
Endpoint OperandGradient(Gradient& g, const EinsumEquation& equation, int i) {
  const EinsumSubscript &operand = equation.operands[i], &other = equation.operands[1 - i];
  const std::string summed = OwnLabels(operand, equation.result.labels + other.labels);
  EinsumSubscript kept;  // the operand without the labels that it alone has
  for (int place = 0; place <= static_cast<int>(operand.labels.size()); ++place) {
    if (place == operand.ellipsis) kept.ellipsis = static_cast<int>(kept.labels.size());
    if (place == static_cast<int>(operand.labels.size())) break;
    if (summed.find(operand.labels[place]) == std::string::npos) kept.labels += operand.labels[place];
  }
  const std::string inputs = equation.result.ToString() + "," + other.ToString();
  const Endpoint gradient = Einsum(g, {g.dy(), g.Conjugate(g.x(1 - i))}, inputs + "->" + kept.ToString());
  if (summed.empty()) return gradient;
  return Spread(g, gradient, kept.ToString(), summed, g.ShapeOf(g.x(i)), operand);
}

// The broadcasting axes of an operand as a part of its shape vector.
Endpoint BroadcastPart(Gradient& g, Endpoint shape, const EinsumSubscript& operand) {
  return Part(g, shape, operand.ellipsis, operand.ellipsis - static_cast<int>(operand.labels.size()));
}

bool SameKnownShape(const PartialShape& a, const PartialShape& b) { return a.IsFullyDefined() && a == b; }

Values BinaryGradient(Gradient& g, EinsumEquation equation) {
  const bool broadcasts = equation.result.has_ellipsis();
  for (EinsumSubscript& operand : equation.operands) {
    if (broadcasts && !operand.has_ellipsis()) operand.ellipsis = static_cast<int>(operand.labels.size());
  }
  const Endpoint dx = OperandGradient(g, equation, 0), dy = OperandGradient(g, equation, 1);
  if (!broadcasts) return {dx, dy};
  const Endpoint x_shape = g.ShapeOf(g.x(0)), y_shape = g.ShapeOf(g.x(1));
  if (SameKnownShape(g.shape(dx), g.shape(g.x(0))) && SameKnownShape(g.shape(dy), g.shape(g.x(1)))) return {dx, dy};
  const NodeId axes = g.Add("BroadcastGradientArgs", {BroadcastPart(g, x_shape, equation.operands[0]),
                                                      BroadcastPart(g, y_shape, equation.operands[1])});
  const auto reduced = [&](Endpoint gradient, int i, Endpoint shape) {
    const Endpoint first = g.Scalar(equation.operands[i].ellipsis, DType::kInt32);
    return g.Call("Reshape", {g.Call("Sum", {gradient, g.Call("Add", {{axes, i}, first})}), shape});
  };
  return {reduced(dx, 0, x_shape), reduced(dy, 1, y_shape)};
}

// The derivative of a sum of products is a sum of products: the equation, read backwards.
Values EinsumGradient(Gradient& g) {
  const EinsumEquation equation = ParseEinsum(g.attr<std::string>("equation"));
  return equation.operands.size() == 1 ? UnaryGradient(g, equation) : BinaryGradient(g, equation);
}

}  // namespace

std::span<const OpRow> MatrixEinsum() {
  static const OpRow rows[] = {
      {.signature = "Einsum(inputs: T*N) -> (output: T)",
       .attrs = "equation: string; N: int >= 1; T: type",
       .doc = "Sums of products of one or two tensors whose axes the equation names, as in \"...ij,...jk->...ik\": "
              "axes of one name are equal, those that the result lacks are summed over, first those that one operand "
              "alone has, and an ellipsis stands for axes that broadcast. A name that one tensor has twice is its "
              "diagonal.",
       .cpu = "T in [floats, complexes, int32, int64]",
       .gpu = "T in [floats, complexes]",
       .shape_fn = EinsumShapes,
       .accuracy = Summation(),
       .gradient = EinsumGradient,
       .samples = {"equation='ij,jk->ik': ([m k] [k n])", "equation='ji,kj->ik': ([k m] [n k])",
                   "equation='...ij,...jk->...ik': ([a 1 m k] [b k n])", "equation='i...,j->...ij': ([m b...] [n])",
                   "equation='bij,bjk->kbi': ([b m k] [b k n])", "equation='ab,ab->': ([3 4] [3 4])",
                   "equation='ab,ab->ba': ([a b] [a b])", "equation='aab,bbc->ca': ([a a b] [b b c])",
                   "equation='...ij->...ji': ([b... m n])", "equation='i...->i...i': ([5 b...])",
                   "equation='abca->c': ([a b c a])", "equation=',ab->ba': ([] [3 4])", "equation='->': ([])"}},
  };
  return rows;
}

}  // namespace plumb::topics
