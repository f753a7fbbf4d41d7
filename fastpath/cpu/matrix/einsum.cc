// Einsum as sums over axes, one batch of matrix products, and copies where axes stand in another order.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/matrix/einsum_axes.h"

namespace plumb::fast::cpu {
namespace {

using EinsumTypes = Types<float, double, Half, BFloat16, int32_t, int64_t, std::complex<float>, std::complex<double>>;
// A tensor whose axes have names.
struct Named {
  Tensor tensor;
  Labels labels;

  int64_t Stride(int label) const { return StrideAlongLabel(tensor.shape(), labels, label); }
};

// The distinct labels of a tensor in the order `wanted`, without moving elements where they stand so already.
Tensor Ordered(ThreadPool& pool, const Named& from, const Labels& wanted, const EinsumAxes& axes) {
  if (from.labels == wanted) return from.tensor;
  const Shape shape = axes.ShapeOf(wanted);
  Named to{Allocate(from.tensor.dtype(), shape), wanted};
  if (shape.elements() == 0) return to.tensor;
  CopyPlan plan;
  for (int i = 0; i < shape.rank(); ++i) {
    const int label = wanted[static_cast<size_t>(i)];
    plan.Append(shape[i], from.Stride(label), to.Stride(label));
  }
  CopyStrided(pool, from.tensor.dtype(), plan, from.tensor.raw(), to.tensor.mutable_raw());
  return to.tensor;
}

// The sums over the labels that are not in `kept`, rounded to the type.
Named Summed(ThreadPool& pool, const Named& from, const Labels& kept) {
  std::vector<bool> reduced;
  Named result;
  for (const int label : from.labels) {
    reduced.push_back(!HasLabel(kept, label));
    if (!reduced.back()) result.labels.push_back(label);
  }
  if (result.labels.size() == from.labels.size()) return from;
  const DType type = from.tensor.dtype();
  result.tensor = RoundedTo(pool, type, Reduce(pool, FindReduction(Fold::kSum, type), from.tensor, reduced));
  return result;
}

// The operand without what no other tensor looks at: diagonals in place of labels that it has twice, no broadcasting
// axes of one element, and sums over the labels that are in neither the result nor the other operand.
Named Simplified(ThreadPool& pool, const Named& operand, const Labels& wanted, const EinsumAxes& axes) {
  Named result;
  Dims dims;
  for (int axis = 0; axis < operand.tensor.rank(); ++axis) {
    const int label = operand.labels[static_cast<size_t>(axis)];
    if (IsBroadcast(label) && operand.tensor.dim(axis) == 1) continue;
    dims.Append(operand.tensor.dim(axis));
    result.labels.push_back(label);
  }
  result.tensor = operand.tensor.Reshaped(dims.ToShape());
  const Labels distinct = DistinctLabels(result.labels);
  if (distinct.size() < result.labels.size()) result = {Ordered(pool, result, distinct, axes), distinct};
  return Summed(pool, result, wanted);
}

template <class T>
using SumOf = std::conditional_t<kIsFloat16<T>, float, T>;

// A product too small for panels and packing.
template <class T>
void PlainProduct(const GemmProblem& p, const T* a, const T* b, T* c) {
  const auto widened = [](T value) { return static_cast<SumOf<T>>(value); };
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      SumOf<T> sum{};
      for (int64_t k = 0; k < p.k; ++k) {
        const T x = a[p.transpose_a ? k * p.lda + i : i * p.lda + k],
                y = b[p.transpose_b ? j * p.ldb + k : k * p.ldb + j];
        if constexpr (std::is_integral_v<T>) {
          using U = std::make_unsigned_t<T>;
          sum = static_cast<T>(static_cast<U>(sum) + static_cast<U>(x) * static_cast<U>(y));
        } else {
          sum += widened(x) * widened(y);
        }
      }
      c[i * p.ldc + j] = static_cast<T>(sum);
    }
  }
}

template <class T>
class EinsumKernel : public Kernel {
 public:
  explicit EinsumKernel(const Node& node) : equation_(ParseEinsum(GetAttr<std::string>(node.attrs, "equation"))) {}

  void Run(KernelContext& context) override {
    std::vector<Shape> shapes;
    for (int i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape());
    const EinsumAxes axes(equation_, shapes);
    if (axes.HandsOn()) return context.SetOutput(0, context.input(0));  // R31
    for (int i = 0; i < context.num_inputs(); ++i) context.CopyGuarded(i);
    std::vector<Named> operands;
    for (int i = 0; i < context.num_inputs(); ++i) {
      const Named operand{context.input(i), axes.operands[static_cast<size_t>(i)]};
      operands.push_back(Simplified(context.pool(), operand, axes.WantedBesides(i), axes));
    }
    Named product = operands[0];
    if (operands.size() == 2 && axes.shape.elements() > 0)
      product = Multiplied(context, operands[0], operands[1], axes);
    Place(context, product, axes.result, axes.shape);
  }
  bool KeepsAliases() const override { return true; }

 private:
  static Named Multiplied(KernelContext& context, const Named& a, const Named& b, const EinsumAxes& axes) {
    const ProductRoles roles(a.labels, b.labels, axes.result);
    const bool a_transposed = a.labels == JoinedLabels(JoinedLabels(roles.batch, roles.inner), roles.left);
    const bool b_transposed = b.labels == JoinedLabels(JoinedLabels(roles.batch, roles.right), roles.inner);
    const auto order = [&](const Labels& rows, const Labels& columns, bool transposed) {
      return JoinedLabels(roles.batch, transposed ? JoinedLabels(columns, rows) : JoinedLabels(rows, columns));
    };
    const Tensor left = Ordered(context.pool(), a, order(roles.left, roles.inner, a_transposed), axes);
    const Tensor right = Ordered(context.pool(), b, order(roles.inner, roles.right, b_transposed), axes);
    Named product;
    product.labels = order(roles.left, roles.right, false);
    product.tensor = Allocate(DTypeOf<T>, axes.ShapeOf(product.labels));
    const GemmProblem problem = DenseGemm(axes.CountOf(roles.left), axes.CountOf(roles.right),
                                          axes.CountOf(roles.inner), a_transposed, b_transposed);
    MultiplyBatch(context.pool(), problem, axes.CountOf(roles.batch), left.data<T>().data(), right.data<T>().data(),
                  product.tensor.mutable_data<T>().data());
    return product;
  }

  static void MultiplyBatch(ThreadPool& pool, const GemmProblem& problem, int64_t count, const T* a, const T* b, T* c) {
    const int64_t a_size = problem.m * problem.k, b_size = problem.k * problem.n, size = problem.m * problem.n;
    const int64_t work = size * problem.k, grain = GrainFor(work / 32 + size);
    if (spread_each_.Chosen(count == 1 || (grain == 1 && count < 8))) {  // Few large products: each is spread.
      for (int64_t i = 0; i < count; ++i) Gemm(pool, problem, a + i * a_size, b + i * b_size, c + i * size);
      return;
    }
    const bool by_panels = by_panels_.Chosen(work > kPlainWork);
    pool.ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        (by_panels ? SingleThreadedGemm<T> : PlainProduct<T>)(problem, a + i * a_size, b + i * b_size, c + i * size);
      }
    });
  }

  // The result has the product's labels in another order, some more than once, and some of one element that it lacks.
  static void Place(KernelContext& context, const Named& product, const Labels& result, const Shape& shape) {
    Labels order = DistinctLabels(result);
    const bool repeats = order.size() < result.size();
    std::erase_if(order, [&](int label) { return !HasLabel(product.labels, label); });
    if (!repeats && order == product.labels && shape.elements() > 0) {
      const Tensor tensor = product.tensor.Reshaped(shape);
      return context.SetOutput(0, tensor.is_alias() ? CopyOf(tensor) : tensor);
    }
    Named output{context.AllocateOutput(0, DTypeOf<T>, shape), result};
    if (repeats) FillZero(context.pool(), output.tensor);
    if (shape.elements() == 0) return;
    CopyPlan plan;
    for (const int label : order) {
      const auto axis = std::find(result.begin(), result.end(), label) - result.begin();
      plan.Append(shape[static_cast<int>(axis)], product.Stride(label), output.Stride(label));
    }
    CopyStrided(context.pool(), DTypeOf<T>, plan, product.tensor.raw(), output.tensor.mutable_raw());
  }

  static constexpr int64_t kPlainWork = 64;
  const EinsumEquation equation_;
  static constinit inline ChoicePoint spread_each_{"einsum: products shared out, or each spread"};
  static constinit inline ChoicePoint by_panels_{"einsum: batch of plain products, or by panels"};
};

constexpr KernelRow kRows[] = {
    {"Einsum", MakeFor<EinsumKernel, EinsumTypes>},
};

}  // namespace

std::span<const KernelRow> MatrixEinsum() { return kRows; }

}  // namespace plumb::fast::cpu
