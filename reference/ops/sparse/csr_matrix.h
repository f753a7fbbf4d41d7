// Sparse matrices by rows (CSR): for each matrix of a batch where its rows begin, counted from its own first value.
#pragma once

#include <string>
#include <vector>

#include "reference/ops/lib/sparse_tensor.h"
#include "spec/core/variant.h"

namespace plumb::reference {

inline constexpr std::string_view kCsrTypeName = "tensorflow::CSRSparseMatrix";

inline Tensor Int32sOf(std::span<const int64_t> numbers) {
  Tensor tensor(DType::kInt32, {std::ssize(numbers)});
  for (size_t i = 0; i < numbers.size(); ++i) tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(numbers[i]);
  return tensor;
}

struct CsrMatrix final : VariantPayload {
  std::vector<int64_t> shape;
  std::vector<int64_t> batches;  // where each matrix begins, and the end of the last
  std::vector<int64_t> rows;     // rows + 1 of each matrix
  std::vector<int64_t> columns;  // of each value
  Value values;

  std::string_view type_name() const override { return kCsrTypeName; }
  EncodedVariant Encode() const override {
    return {std::string(kCsrTypeName),
            "",
            {VectorOf(shape), Int32sOf(batches), Int32sOf(rows), Int32sOf(columns), values.tensor}};
  }
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

// The matrix at input `i`; else kInvalidArgument.
inline const CsrMatrix& CsrInput(const OpContext& c, int i) {
  const Tensor& handle = c.tensor(i);
  Require(handle.rank() == 0, "a sparse matrix is a scalar, not of shape ", handle.shape().ToString());
  const Variant& element = handle.data<Variant>()[0];
  const auto* const matrix = dynamic_cast<const CsrMatrix*>(element.payload.get());
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
  variant.type_name = kCsrTypeName;
  variant.payload = std::make_shared<const CsrMatrix>(std::move(matrix));
  c.Output(0, MakeScalar(std::move(variant)));
}

}  // namespace plumb::reference
