#include "reference/ops/lib/sparse_rows.h"
#include "spec/core/variant_tensor.h"
#include "spec/ops/sparse/tensor_content.h"

namespace plumb::reference {
namespace {

// Whether elements are written as bytes, else as variants.
void PutTensor(Tensor& to, int64_t i, const Tensor& tensor) {
  if (to.dtype() == DType::kString) to.mutable_data<std::string>()[static_cast<size_t>(i)] = SerializedContent(tensor);
  if (to.dtype() == DType::kVariant) to.mutable_data<Variant>()[static_cast<size_t>(i)] = VariantOf(tensor);
}
Tensor TensorAt(const Tensor& from, int64_t i) {
  if (from.dtype() == DType::kVariant) return TensorIn(from.data<Variant>()[static_cast<size_t>(i)]);
  return ParsedContent(from.data<std::string>()[static_cast<size_t>(i)]);
}

void SerializeSparse(OpContext& c) {
  Require(c.tensor(0).rank() == 2 && c.tensor(1).rank() == 1 && c.tensor(2).rank() == 1,
          "indices, values and shape must be a matrix and two vectors, not of shapes ", c.tensor(0).shape().ToString(),
          ", ", c.tensor(1).shape().ToString(), " and ", c.tensor(2).shape().ToString());
  Tensor serialized(c.output_type(0), {3});
  for (int i = 0; i < 3; ++i) PutTensor(serialized, i, c.tensor(i).Clone());
  c.Output(0, std::move(serialized));
}

void SerializeManySparse(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  const Shape shape = tensor.dense_shape();
  Require(shape.rank() > 1, "the tensor must have rank 2 at least, not the shape ", shape.ToString());
  CheckResultSize({shape.dim(0), 3});
  tensor.CheckOrder();
  Tensor serialized(c.output_type(0), {shape.dim(0), 3});
  int64_t next = 0;
  for (int64_t row = 0; row < shape.dim(0); ++row) {
    const int64_t begin = next;
    while (next < tensor.at.count && tensor.at(next, 0) == row) ++next;
    const SparseTensor inner = RowOf(tensor, begin, next);
    PutTensor(serialized, 3 * row, TensorOf(inner.at));
    PutTensor(serialized, 3 * row + 1, inner.values.tensor);
    PutTensor(serialized, 3 * row + 2, VectorOf(inner.shape));
  }
  c.Output(0, std::move(serialized));
}

// The sparse tensor number i.
SparseTensor ReadSparse(const Tensor& serialized, int64_t i, DType dtype) {
  const Tensor indices = TensorAt(serialized, 3 * i), values = TensorAt(serialized, 3 * i + 1);
  const Tensor shape = TensorAt(serialized, 3 * i + 2);
  Require(indices.dtype() == DType::kInt64 && shape.dtype() == DType::kInt64, "indices and shape of tensor ", i,
          " must be int64");
  Require(values.dtype() == dtype, "the values of tensor ", i, " are ", DTypeName(values.dtype()), ", not ",
          DTypeName(dtype));
  SparseTensor tensor{CoordinatesOf(indices), values, {}};
  Require(values.shape() == Shape{tensor.at.count} && shape.shape() == Shape{tensor.at.rank}, "values of shape ",
          values.shape().ToString(), " and a shape of shape ", shape.shape().ToString(),
          " do not fit indices of shape ", indices.shape().ToString());
  tensor.shape = ToInt64s(shape);
  return tensor;
}

void DeserializeSparse(OpContext& c) {
  const Tensor& serialized = c.tensor(0);
  const DType dtype = c.attr<DType>("dtype");
  const int rank = serialized.rank();
  Require(rank > 0 && serialized.dim(rank - 1) == 3, "serialized sparse tensors come in threes, not in the shape ",
          serialized.shape().ToString());
  const Shape outer = Subshape(serialized.shape(), 0, rank - 1);
  Require(outer.elements() > 0, "there must be one sparse tensor at least");
  if (rank == 1) {
    const SparseTensor tensor = ReadSparse(serialized, 0, dtype);
    return SparseOutput(c, 0, tensor.at, tensor.values, tensor.shape);
  }
  std::vector<SparseTensor> tensors;
  for (int64_t i = 0; i < outer.elements(); ++i) tensors.push_back(ReadSparse(serialized, i, dtype));
  const SparseTensor all = StackedRows(outer, dtype, tensors);
  SparseOutput(c, 0, all.at, all.values, all.shape);
}

constexpr KernelRow kRows[] = {
    {"SerializeSparse", SerializeSparse},
    {"SerializeManySparse", SerializeManySparse},
    {"DeserializeSparse", DeserializeSparse},
    {"DeserializeManySparse", DeserializeSparse},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseSerialize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
