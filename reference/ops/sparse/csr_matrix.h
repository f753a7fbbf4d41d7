// Sparse matrices by rows (CSR): for each matrix of a batch where its rows begin, counted from its own first value.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reference/ops/lib/sparse_tensor.h"
#include "spec/core/variant_codec.h"
#include "spec/formats/sparse_matrix.h"

namespace plumb::reference {

inline Tensor Int32sOf(std::span<const int64_t> numbers) {
  Tensor tensor(DType::kInt32, {std::ssize(numbers)});
  for (size_t i = 0; i < numbers.size(); ++i) tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(numbers[i]);
  return tensor;
}

struct CsrMatrix final : VariantPayload {
  static constexpr std::string_view kTypeName = kSparseMatrixTypeName;
  std::vector<int64_t> shape;
  std::vector<int64_t> batches;  // where each matrix begins, and the end of the last
  std::vector<int64_t> rows;     // rows + 1 of each matrix
  std::vector<int64_t> columns;  // of each value
  Value values;

  std::string_view type_name() const override { return kSparseMatrixTypeName; }
  EncodedVariant Encode() const override {
    return {std::string(kSparseMatrixTypeName),
            SparseMatrixMetadata(values.tensor.dtype()),
            {VectorOf(shape), Int32sOf(batches), Int32sOf(rows), Int32sOf(columns), values.tensor}};
  }
  // kInvalidArgument unless every value has its place.
  static std::shared_ptr<const CsrMatrix> Decode(const EncodedVariant& encoded);
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CsrMatrix>(*this);
    result->values.tensor = copy(values.tensor);
    return result;
  }

  // f(matrix, row, column, which of the values) in their order.
  template <class F>
  void ForEach(const F& f) const {
    const int64_t count = shape[shape.size() - 2];
    for (int64_t batch = 0; batch + 1 < std::ssize(batches); ++batch) {
      const int64_t first = batches[static_cast<size_t>(batch)];
      for (int64_t row = 0; row < count; ++row) {
        const auto place = static_cast<size_t>(batch * (count + 1) + row);
        for (int64_t i = first + rows[place]; i < first + rows[place + 1]; ++i) {
          f(batch, row, columns[static_cast<size_t>(i)], i);
        }
      }
    }
  }
};

inline std::vector<int64_t> CsrPart(const Tensor& tensor, DType dtype) {
  Require(tensor.dtype() == dtype && tensor.rank() == 1, "a part of a sparse matrix is a vector of ", DTypeName(dtype),
          ", not ", DTypeName(tensor.dtype()), tensor.shape().ToString());
  return ToInt64s(tensor);
}

inline std::shared_ptr<const CsrMatrix> CsrMatrix::Decode(const EncodedVariant& encoded) {
  Require(encoded.tensors.size() == 5, "a sparse matrix has 5 parts, not ", encoded.tensors.size());
  const DType dtype = encoded.tensors[4].dtype();
  Require(IsSparseMatrixMetadata(encoded.metadata, dtype), "the metadata of a sparse matrix are not those of one of ",
          DTypeName(dtype));
  auto matrix = std::make_shared<CsrMatrix>();
  matrix->shape = CsrPart(encoded.tensors[0], DType::kInt64);
  matrix->batches = CsrPart(encoded.tensors[1], DType::kInt32);
  matrix->rows = CsrPart(encoded.tensors[2], DType::kInt32);
  matrix->columns = CsrPart(encoded.tensors[3], DType::kInt32);
  matrix->values = encoded.tensors[4];
  const std::vector<int64_t>&shape = matrix->shape, &batches = matrix->batches, &rows = matrix->rows;
  const std::vector<int64_t>& columns = matrix->columns;
  const Tensor& values = encoded.tensors[4];
  Require(shape.size() == 2 || shape.size() == 3, "a sparse matrix has rank 2 or 3, not ", shape.size());
  for (const int64_t dim : shape) Require(dim >= 0, "a sparse matrix has the dimension ", dim);
  Require(IsFloating(values.dtype()) || IsComplex(values.dtype()), "a sparse matrix cannot hold ",
          DTypeName(values.dtype()));
  Require(values.shape() == Shape{std::ssize(columns)}, "a sparse matrix has ", columns.size(),
          " columns for values of shape ", values.shape().ToString());
  const int64_t count = shape[shape.size() - 2], matrices = shape.size() == 3 ? shape[0] : 1;
  Require(std::ssize(batches) - 1 == matrices && count < INT64_MAX &&
              CheckedMultiply(matrices, count + 1) == std::ssize(rows),
          "a batch of ", matrices, " sparse matrices of ", count, " rows has ", batches.size(), " and ", rows.size(),
          " beginnings");
  Require(batches.front() == 0 && batches.back() == std::ssize(columns), "sparse matrices have values from ",
          batches.front(), " to ", batches.back(), ", not all ", columns.size());
  for (size_t batch = 0; batch + 1 < batches.size(); ++batch) {
    const auto first = rows.begin() + static_cast<int64_t>(batch) * (count + 1), last = first + count;
    Require(*first == 0 && std::is_sorted(first, last + 1) && *last == batches[batch + 1] - batches[batch],
            "the rows of sparse matrix ", batch, " do not begin one behind the other");
  }
  for (const int64_t column : columns) {
    Require(column >= 0 && column < shape.back(), "a value in column ", column, " of ", shape.back());
  }
  return matrix;
}

// The matrix at input `i`; else kInvalidArgument.
inline const CsrMatrix& CsrInput(const OpContext& c, int i) {
  const Tensor& handle = c.tensor(i);
  Require(handle.rank() == 0, "a sparse matrix is a scalar, not of shape ", handle.shape().ToString());
  const Variant& element = handle.data<Variant>()[0];
  const auto* const matrix = PayloadIn<CsrMatrix>(element);
  Require(matrix != nullptr, "a sparse matrix is needed, not a variant of type '", element.type_name, "'");
  return *matrix;
}

// The same of elements of this type.
inline const CsrMatrix& CsrInput(const OpContext& c, int i, DType dtype) {
  const CsrMatrix& matrix = CsrInput(c, i);
  const DType held = matrix.values.tensor.dtype();
  Require(held == dtype, "the matrix holds ", DTypeName(held), ", not ", DTypeName(dtype));
  return matrix;
}

inline void OutputCsr(OpContext& c, CsrMatrix matrix) {
  Variant variant;
  variant.type_name = kSparseMatrixTypeName;
  variant.payload = std::make_shared<const CsrMatrix>(std::move(matrix));
  c.Output(0, MakeScalar(std::move(variant)));
}

}  // namespace plumb::reference
