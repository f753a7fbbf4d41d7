// BatchMatMul and its successors: one product per matrix of the leading dimensions, which all but the first broadcast.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Dimension `axis` of the batch part of a shape, padded with ones in front to `rank` dimensions.
int64_t BatchDim(const Shape& shape, int rank, int axis) {
  const int own = axis - (rank - (shape.rank() - 2));
  return own < 0 ? 1 : shape[own];
}

Shape BatchShape(const Shape& x, const Shape& y, bool broadcast) {
  const int rank = std::max(x.rank(), y.rank()) - 2;
  Dims dims;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t a = BatchDim(x, rank, axis), b = BatchDim(y, rank, axis);
    Require(a == b || (broadcast && (a == 1 || b == 1)), "the batch dimensions of ", Printed(x), " and ", Printed(y),
            " do not match");
    dims.Append(a == 1 ? b : a);
  }
  return dims.ToShape();
}

// Which matrix of an operand each product takes; empty: the one of the same number.
std::vector<int64_t> MatrixNumbers(const Shape& operand, const Shape& batch) {
  std::vector<int64_t> numbers;
  if (ElementsIn(operand, 0, operand.rank() - 2) == batch.elements()) return numbers;
  numbers.resize(static_cast<size_t>(batch.elements()));
  for (int64_t i = 0; i < batch.elements(); ++i) {
    int64_t rest = i, stride = 1;
    for (int axis = batch.rank() - 1; axis >= 0; --axis) {
      const int64_t size = BatchDim(operand, batch.rank(), axis);
      if (size > 1) numbers[i] += rest % batch[axis] * stride;
      rest /= batch[axis];
      stride *= size;
    }
  }
  return numbers;
}

// The adjoint of a complex matrix is its conjugate, transposed; of a real one just transposed.
template <class T>
Tensor Conjugated(const Tensor& tensor, bool adjoint) {
  if constexpr (requires(T value) { value.imag(); }) {
    if (adjoint) {
      Tensor result = Allocate(tensor.dtype(), tensor.shape());
      const auto from = tensor.data<T>();
      const auto to = result.mutable_data<T>();
      for (size_t i = 0; i < from.size(); ++i) to[i] = T(from[i].real(), -from[i].imag());
      return result;
    }
  }
  return tensor;
}

bool IsByte(DType type) { return type == DType::kInt8 || type == DType::kUint8; }

// The values of bytes in the type T, which has them all; other tensors as they are.
template <class T>
Tensor Widened(const Tensor& tensor) {
  if (!IsByte(tensor.dtype())) return tensor;
  Tensor result = Allocate(DTypeOf<T>, tensor.shape());
  const auto to = result.mutable_data<T>();
  const auto widen = [&](auto from) {
    for (size_t i = 0; i < from.size(); ++i) to[i] = T(static_cast<float>(from[i]));
  };
  tensor.dtype() == DType::kInt8 ? widen(tensor.data<int8_t>()) : widen(tensor.data<uint8_t>());
  return result;
}

template <class T>
class BatchMatMulKernel : public Kernel {
 public:
  explicit BatchMatMulKernel(const Node& node)
      : adj_x_(GetAttr<bool>(node.attrs, "adj_x")),
        adj_y_(GetAttr<bool>(node.attrs, "adj_y")),
        broadcast_(!node.IsOp("BatchMatMul")) {}

  void Run(KernelContext& context) override {
    const Shape x = context.input(0).shape(), y = context.input(1).shape();
    Require(x.rank() >= 2 && y.rank() >= 2 && (broadcast_ || x.rank() == y.rank()), "matrices are needed, not shapes ",
            Printed(x), " and ", Printed(y));
    const int64_t x_rows = x[x.rank() - 2], x_columns = x[x.rank() - 1];
    const int64_t y_rows = y[y.rank() - 2], y_columns = y[y.rank() - 1];
    const int64_t m = adj_x_ ? x_columns : x_rows, k = adj_x_ ? x_rows : x_columns, n = adj_y_ ? y_rows : y_columns;
    Require(k == (adj_y_ ? y_columns : y_rows), "the inner dimensions of ", Printed(x), " and ", Printed(y), " differ");
    const Shape batch = BatchShape(x, y, broadcast_);
    Dims dims(batch);
    dims.Append(m);
    dims.Append(n);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, dims.ToShape());
    if (output.elements() > 0) Multiply(context, DenseGemm(m, n, k, adj_x_, adj_y_), batch, output);
  }

 private:
  void Multiply(KernelContext& context, const GemmProblem& problem, const Shape& batch, Tensor& output) const {
    const Tensor x = Conjugated<T>(Widened<T>(context.input(0)), adj_x_);
    const Tensor y = Conjugated<T>(Widened<T>(context.input(1)), adj_y_);
    const T *const a = x.data<T>().data(), *const b = y.data<T>().data();
    T* const c = output.mutable_data<T>().data();
    const int64_t x_size = problem.m * problem.k, y_size = problem.k * problem.n, size = problem.m * problem.n;
    const auto x_numbers = MatrixNumbers(x.shape(), batch), y_numbers = MatrixNumbers(y.shape(), batch);
    const auto a_of = [&](int64_t i) { return a + (x_numbers.empty() ? i : x_numbers[i]) * x_size; };
    const auto b_of = [&](int64_t i) { return b + (y_numbers.empty() ? i : y_numbers[i]) * y_size; };
    const int64_t count = batch.elements(), grain = GrainFor(size * problem.k / 32 + size);
    if (spread_each_.Chosen(count == 1 || (grain == 1 && count < 8))) {  // Few large products: each is spread.
      for (int64_t i = 0; i < count; ++i) Gemm(context.pool(), problem, a_of(i), b_of(i), c + i * size);
      return;
    }
    context.pool().ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) SingleThreadedGemm(problem, a_of(i), b_of(i), c + i * size);
    });
  }

  const bool adj_x_;
  const bool adj_y_;
  const bool broadcast_;
  static constinit inline ChoicePoint spread_each_{"batch of products: shared out, or each spread"};
};

// Of operands of one type, or of bytes in the place of one or both.
std::unique_ptr<Kernel> MakeMixed(const Node& node) {
  const DType x = InputType(node, 0), y = InputType(node, 1), out = OutputType(node, 0);
  const bool is_bytes = IsByte(x) && IsByte(y) && out == DType::kInt32;
  const bool is_mixed = out == DType::kBfloat16 && ((x == out && IsByte(y)) || (IsByte(x) && y == out));
  const bool is_one_type = x == out && y == out && out != DType::kHalf;
  if (!is_bytes && !is_mixed && !is_one_type) ThrowNoKernel(node);
  return MakeFor<BatchMatMulKernel, MatrixTypes>(node);
}

constexpr KernelRow kRows[] = {
    {"BatchMatMul", MakeFor<BatchMatMulKernel, MatrixTypes>},
    {"BatchMatMulV2", MakeFor<BatchMatMulKernel, MatrixTypes>},
    {"BatchMatMulV3", MakeMixed},
};

}  // namespace

std::span<const KernelRow> MatrixBatchMatmul() { return kRows; }

}  // namespace plumb::fast::cpu
