// Sparse matrices by rows (CSR): rows begin at places counted from the first value of their matrix.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/brought_here.h"
#include "fastpath/device/kernel.h"
#include "spec/core/variant_codec.h"
#include "spec/formats/sparse_matrix.h"

namespace plumb::fast::cpu {

// int64 [2 or 3]; int32 [batch + 1], [batch · (rows + 1)] and [n]; values [n].
struct CsrMatrix final : VariantPayload {
  static constexpr std::string_view kTypeName = kSparseMatrixTypeName;
  Tensor shape, batches, rows, columns, values;

  std::string_view type_name() const override { return kSparseMatrixTypeName; }
  EncodedVariant Encode() const override {
    return {std::string(kTypeName), SparseMatrixMetadata(values.dtype()), {shape, batches, rows, columns, values}};
  }
  // kInvalidArgument for what would lead kernels astray, which take places and columns as they are. What is written
  // down travels as a whole.
  static std::shared_ptr<const CsrMatrix> Decode(const EncodedVariant& encoded) {
    Require(encoded.tensors.size() == 5, "a sparse matrix is written as 5 tensors, not ", encoded.tensors.size());
    Require(IsSparseMatrixMetadata(encoded.metadata, encoded.tensors[4].dtype()),
            "this is not the metadata of a sparse matrix of ", DTypeName(encoded.tensors[4].dtype()));
    auto matrix = std::make_shared<CsrMatrix>();
    Tensor* const parts[] = {&matrix->shape, &matrix->batches, &matrix->rows, &matrix->columns, &matrix->values};
    for (size_t i = 0; i < 5; ++i) {
      *parts[i] = i < 4 ? ToReadOnHost(encoded.tensors[i]) : encoded.tensors[i];
      const DType type = parts[i]->dtype();
      const bool fits = i == 0   ? type == DType::kInt64
                        : i == 4 ? IsFloating(type) || IsComplex(type)
                                 : type == DType::kInt32;
      Require(fits && parts[i]->rank() == 1, "part ", i, " of a sparse matrix cannot be ", DTypeName(type),
              Printed(parts[i]->shape()));
    }
    matrix->CheckSizes();
    matrix->CheckPlaces();
    return matrix;
  }
  // Only values lie where the matrix is used, as HeldOf gives them (fastpath/memory/inside.h).
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CsrMatrix>(*this);
    result->values = copy(values);
    return result;
  }

 private:
  int64_t matrices() const { return batches.elements() - 1; }
  int64_t row_count() const { return shape.data<int64_t>()[static_cast<size_t>(shape.elements() - 2)]; }

  void CheckSizes() const {
    Require(shape.elements() == 2 || shape.elements() == 3, "a sparse matrix has rank 2 or 3, not ", shape.elements());
    for (const int64_t dim : shape.data<int64_t>()) {
      Require(dim >= 0 && dim < INT64_MAX, "a sparse matrix has the dimension ", dim);
    }
    const int64_t wanted = shape.elements() == 3 ? shape.data<int64_t>()[0] : 1;
    Require(matrices() == wanted && CheckedMultiply(wanted, row_count() + 1) == rows.elements(),
            "sparse matrices: ", wanted, " of ", row_count(), " rows cannot have ", batches.elements(), " and ",
            rows.elements(), " places");
    Require(columns.elements() == values.elements(), "a sparse matrix of ", values.elements(), " values and ",
            columns.elements(), " columns");
  }
  void CheckPlaces() const {
    const auto begins = batches.data<int32_t>(), places = rows.data<int32_t>();
    Require(begins.front() == 0 && begins.back() == values.elements(), "a batch of sparse matrices goes from value ",
            begins.front(), " to ", begins.back(), " of ", values.elements());
    const auto step = static_cast<size_t>(row_count() + 1);
    for (size_t i = 0; i + 1 < begins.size(); ++i) {
      const auto own = places.subspan(i * step, step);
      Require(own.front() == 0 && std::is_sorted(own.begin(), own.end()) &&
                  int64_t{own.back()} == int64_t{begins[i + 1]} - begins[i],
              "the rows of sparse matrix ", i, " do not follow each other");
    }
    const int64_t width = shape.data<int64_t>().back();
    for (const int32_t column : columns.data<int32_t>()) {
      Require(column >= 0 && column < width, "a sparse matrix of ", width, " columns has a value in column ", column);
    }
  }
};

// The matrix in a tensor; else kInvalidArgument.
inline const CsrMatrix& CsrAt(const Tensor& handle) {
  Require(handle.rank() == 0, "a sparse matrix is a scalar, not of shape ", Printed(handle.shape()));
  const Variant& element = handle.data<Variant>()[0];
  const auto* const matrix = PayloadIn<CsrMatrix>(element);
  Require(matrix != nullptr, "a sparse matrix is needed, not a variant of type '", element.type_name, "'");
  return *matrix;
}

// The same of elements of this type.
inline const CsrMatrix& CsrAt(const Tensor& handle, DType type) {
  const CsrMatrix& matrix = CsrAt(handle);
  Require(matrix.values.dtype() == type, "the matrix holds ", DTypeName(matrix.values.dtype()), ", not ",
          DTypeName(type));
  return matrix;
}

inline void SetCsr(KernelContext& context, std::shared_ptr<CsrMatrix> matrix) {
  context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] = {std::string(kSparseMatrixTypeName),
                                                                                    "", std::move(matrix)};
}

}  // namespace plumb::fast::cpu
