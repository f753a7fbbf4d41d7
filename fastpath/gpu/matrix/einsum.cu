// Einsum as sums over axes, one batch of matrix products, and copies where axes stand in another order.
#include <algorithm>
#include <vector>

#include "fastpath/formulas/matrix/einsum_axes.h"
#include "fastpath/gpu/lib/axis_sums.h"
#include "fastpath/gpu/lib/gemm.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A tensor whose axes have names.
struct Named {
  Tensor tensor;
  Labels labels;

  int64_t Along(int label) const { return StrideAlongLabel(tensor.shape(), labels, label); }
};

// Queues a copy of the elements along the labels of `order`, each of which both tensors have.
void CopyByLabel(GpuContext& context, const Named& from, Named& to, const Labels& order, const Shape& shape) {
  Walk walk;
  for (int i = 0; i < shape.rank(); ++i) {
    const int label = order[static_cast<size_t>(i)];
    AddAxis(walk, shape[i], from.Along(label), to.Along(label));
  }
  CopyAlong(context, walk, from.tensor, 0, to.tensor, 0);
}

// The distinct labels of a tensor in the order `wanted`, without moving elements where they stand so already.
Tensor Ordered(GpuContext& context, const Named& from, const Labels& wanted, const EinsumAxes& axes) {
  if (from.labels == wanted) return from.tensor;
  const Shape shape = axes.ShapeOf(wanted);
  Named to{context.Scratch(from.tensor.dtype(), shape), wanted};
  CopyByLabel(context, from, to, wanted, shape);
  return to.tensor;
}

// The sums over the labels that are not in `kept`, rounded to the type.
Named Summed(GpuContext& context, const Named& from, const Labels& kept, const EinsumAxes& axes) {
  std::vector<bool> is_folded;
  Named result;
  for (const int label : from.labels) {
    is_folded.push_back(!HasLabel(kept, label));
    if (!is_folded.back()) result.labels.push_back(label);
  }
  if (result.labels.size() == from.labels.size()) return from;
  result.tensor = context.Scratch(from.tensor.dtype(), axes.ShapeOf(result.labels));
  QueueAxisSums(context, from.tensor, is_folded, result.tensor);
  return result;
}

// The operand without what no other tensor looks at: diagonals in place of labels that it has twice, no broadcasting
// axes of one element, and sums over the labels that are in neither the result nor the other operand.
Named Simplified(GpuContext& context, const Named& operand, const Labels& wanted, const EinsumAxes& axes) {
  Named result;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < operand.tensor.rank(); ++axis) {
    const int label = operand.labels[static_cast<size_t>(axis)];
    if (IsBroadcast(label) && operand.tensor.dim(axis) == 1) continue;
    dims.push_back(operand.tensor.dim(axis));
    result.labels.push_back(label);
  }
  result.tensor = operand.tensor.Reshaped(Shape(dims));
  const Labels distinct = DistinctLabels(result.labels);
  if (distinct.size() < result.labels.size()) result = {Ordered(context, result, distinct, axes), distinct};
  return Summed(context, result, wanted, axes);
}

// Of at least one element.
Named Multiplied(GpuContext& context, const Named& a, const Named& b, const EinsumAxes& axes) {
  const ProductRoles roles(a.labels, b.labels, axes.result);
  const auto order = [&](const Labels& rows, const Labels& columns) {
    return JoinedLabels(roles.batch, JoinedLabels(rows, columns));
  };
  const bool a_transposed = a.labels == order(roles.inner, roles.left);
  const bool b_transposed = b.labels == order(roles.right, roles.inner);
  const Labels a_order = a_transposed ? a.labels : order(roles.left, roles.inner);
  const Labels b_order = b_transposed ? b.labels : order(roles.inner, roles.right);
  const Tensor left = Ordered(context, a, a_order, axes), right = Ordered(context, b, b_order, axes);
  Named product;
  product.labels = order(roles.left, roles.right);
  product.tensor = context.Scratch(a.tensor.dtype(), axes.ShapeOf(product.labels));
  const GemmSize size{axes.CountOf(roles.left), axes.CountOf(roles.right), axes.CountOf(roles.inner),
                      axes.CountOf(roles.batch)};
  if (size.inner == 0) {
    context.Clear(product.tensor);
    return product;
  }
  Gemm(context, a.tensor.dtype(), size, {left.raw(), a_transposed, false, size.rows * size.inner},
       {right.raw(), b_transposed, false, size.inner * size.columns}, product.tensor.mutable_raw());
  return product;
}

// The result has the product's labels in another order, some more than once, and some of one element that it lacks.
void Place(GpuContext& context, const Named& product, const EinsumAxes& axes) {
  Labels order = DistinctLabels(axes.result);
  const bool repeats = order.size() < axes.result.size();
  std::erase_if(order, [&](int label) { return !HasLabel(product.labels, label); });
  if (!repeats && order == product.labels && axes.shape.elements() > 0) {
    return SetUnaliased(context, 0, product.tensor, axes.shape);
  }
  Named output{context.AllocateOutput(0, axes.shape), axes.result};
  if (repeats) context.Clear(output.tensor);
  if (axes.shape.elements() > 0) CopyByLabel(context, product, output, order, axes.ShapeOf(order));
}

class EinsumKernel final : public GpuKernel {
 public:
  explicit EinsumKernel(const Node& node) : equation_(ParseEinsum(GetAttr<std::string>(node.attrs, "equation"))) {}

  void Run(GpuContext& context) override {
    std::vector<Shape> shapes;
    for (int i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape());
    const EinsumAxes axes(equation_, shapes);
    if (axes.HandsOn()) return context.SetOutput(0, context.input(0));  // R31
    std::vector<Named> operands;
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Named operand{context.input(i), axes.operands[static_cast<size_t>(i)]};
      operands.push_back(Simplified(context, operand, axes.WantedBesides(i), axes));
    }
    Named product = operands[0];
    if (operands.size() == 2 && axes.shape.elements() > 0)
      product = Multiplied(context, operands[0], operands[1], axes);
    Place(context, product, axes);
  }

 private:
  const EinsumEquation equation_;
};

constexpr GpuKernelRow kRows[] = {
    {"Einsum", Make<EinsumKernel>},
};

}  // namespace

std::span<const GpuKernelRow> MatrixEinsum() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
