// Einsum: what an operand alone has is summed first, then products of both are; what the result has twice is a
// diagonal among zeros.
#include <algorithm>
#include <map>
#include <string>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/numbers/numbers_io.h"
#include "spec/ops/matrix/einsum_equation.h"

namespace plumb::reference {
namespace {

using Labels = std::vector<int>;

bool Has(const Labels& labels, int label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

// Each label once, as far as `keep` holds for it.
template <class Keep>
Labels Distinct(const Labels& labels, Keep keep) {
  Labels distinct;
  for (const int label : labels) {
    if (keep(label) && !Has(distinct, label)) distinct.push_back(label);
  }
  return distinct;
}

// How many elements each label stands for.
class Sizes {
 public:
  void Add(const Shape& shape, const Labels& labels) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const auto [known, is_new] = sizes_.emplace(labels[axis], shape.dim(axis));
      const bool stretches = IsBroadcast(labels[axis]) && (known->second == 1 || shape.dim(axis) == 1);
      if (stretches && known->second == 1) known->second = shape.dim(axis);
      Require(is_new || stretches || known->second == shape.dim(axis), "the sizes ", known->second, " and ",
              shape.dim(axis), " of axis ", axis, " of ", shape.ToString(), " meet under one label");
    }
  }
  Shape Of(const Labels& labels) const {
    std::vector<int64_t> dims;
    for (const int label : labels) dims.push_back(sizes_.at(label));
    return Shape(dims);
  }

 private:
  std::map<int, int64_t> sizes_;
};

// How far apart the elements of a tensor are that differ by one in each of `wanted`. Axes of one label move together;
// one that is stretched does not move.
std::vector<int64_t> StridesOf(const Labels& wanted, const Shape& shape, const Labels& labels) {
  const std::vector<int64_t> strides = Strides(shape);
  std::vector<int64_t> result;
  for (const int label : wanted) {
    int64_t stride = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const bool is_stretched = IsBroadcast(label) && shape.dim(axis) == 1;
      if (labels[axis] == label && !is_stretched) stride += strides[axis];
    }
    result.push_back(stride);
  }
  return result;
}

struct Operand {
  Value value;
  Labels labels;
};

// The sums of `operand` over the labels that are not in `kept`, which has each once.
template <class N>
Operand Summed(const Operand& operand, const Labels& kept, const Sizes& sizes) {
  const Shape& shape = operand.value.tensor.shape();
  const Labels lost = Distinct(operand.labels, [&](int label) { return !Has(kept, label); });
  Sizes own;
  own.Add(shape, operand.labels);
  const Shape result = own.Of(kept), terms = sizes.Of(lost);
  const auto across = StridesOf(kept, shape, operand.labels), along = StridesOf(lost, shape, operand.labels);
  CheckResultSize(result);
  if (lost.empty()) return {Gathered(operand.value, result, Positions(result, across)), kept};
  const Reader<N> from(operand.value);
  Writer<N> to(operand.value.tensor.dtype(), result);
  Walk first(result, across);
  for (int64_t i = 0; i < result.elements(); ++i, first.Next()) {
    SumOf<N> sum;
    Walk term(terms, along, first.position());
    for (int64_t k = 0; k < terms.elements(); ++k, term.Next()) sum.Add(from[term.position()]);
    to.Set(i, sum.Result());
  }
  return {to.Take(), kept};
}

// The sums of products over the labels that are not in `kept`.
template <class N>
Value Multiplied(const Operand& a, const Operand& b, const Labels& kept, const Sizes& sizes) {
  const Shape &a_shape = a.value.tensor.shape(), &b_shape = b.value.tensor.shape();
  const Labels lost = Distinct(a.labels, [&](int label) { return !Has(kept, label); });
  const Shape result = sizes.Of(kept), terms = sizes.Of(lost);
  const Array<N> x = Load<N>(a.value), y = Load<N>(b.value);
  Writer<N> to(a.value.tensor.dtype(), result);
  Walk x_first(result, StridesOf(kept, a_shape, a.labels)), y_first(result, StridesOf(kept, b_shape, b.labels));
  const auto x_strides = StridesOf(lost, a_shape, a.labels), y_strides = StridesOf(lost, b_shape, b.labels);
  for (int64_t i = 0; i < result.elements(); ++i, x_first.Next(), y_first.Next()) {
    SumOf<N> sum;
    Walk p(terms, x_strides, x_first.position()), q(terms, y_strides, y_first.position());
    for (int64_t k = 0; k < terms.elements(); ++k, p.Next(), q.Next()) sum.AddProduct(x[p.position()], y[q.position()]);
    to.Set(i, sum.Result());
  }
  return to.Take();
}

template <class N>
Value Computed(std::vector<Operand> operands, const Labels& distinct, const Sizes& sizes) {
  if (operands.size() == 1) return Summed<N>(operands[0], distinct, sizes).value;
  for (size_t i = 0; i < 2; ++i) {
    const Labels& other = operands[1 - i].labels;
    const Labels kept =
        Distinct(operands[i].labels, [&](int label) { return Has(distinct, label) || Has(other, label); });
    operands[i] = Summed<N>(operands[i], kept, sizes);
  }
  return Multiplied<N>(operands[0], operands[1], distinct, sizes);
}

// R31: of one operand, whose axes the result has once each and in their order. Those that broadcast stand before the
// others; else TensorFlow moves them there and back.
bool HandsOn(const std::vector<Labels>& operands, const Labels& result, const Labels& distinct) {
  return operands.size() == 1 && operands[0] == result && distinct.size() == result.size() &&
         std::is_partitioned(result.begin(), result.end(), IsBroadcast);
}

void Einsum(OpContext& c) {
  const EinsumEquation equation = ParseEinsum(c.attr<std::string>("equation"));
  Require(equation.operands.size() == c.inputs.size(), "the equation '", c.attr<std::string>("equation"), "' has ",
          equation.operands.size(), " operands, not ", c.inputs.size());
  std::vector<Operand> operands;
  std::vector<Labels> labels;
  Sizes sizes;
  for (int i = 0; i < c.num_inputs(); ++i) {
    labels.push_back(equation.operands[i].LabelsOfAxes(c.tensor(i).rank()));
    operands.push_back({c.input(i), labels.back()});
    sizes.Add(c.tensor(i).shape(), labels.back());
  }
  const Labels result = equation.LabelsOfResult(labels), distinct = Distinct(result, [](int) { return true; });
  if (HandsOn(labels, result, distinct)) return c.Output(0, c.input(0));
  const DType dtype = c.tensor(0).dtype();
  const Shape shape = sizes.Of(result);
  CheckResultSize(shape);
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(dtype);
    const Value value = Computed<N>(operands, distinct, sizes);
    if (distinct.size() == result.size()) return c.Output(0, value);
    c.Output(0, Scattered(value, shape, Positions(value.tensor.shape(), StridesOf(distinct, shape, result))));
  });
}

void CheckEquation(const Node& node) { ParseEinsum(GetAttr<std::string>(node.attrs, "equation")); }

constexpr KernelRow kRows[] = {
    {"Einsum", Einsum, CheckEquation},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MatrixEinsum() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
