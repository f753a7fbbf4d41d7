// Sparse matrices by rows (CSR): rows begin at places counted from the first value of their matrix.
#pragma once

#include <memory>
#include <string>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/core/variant.h"

namespace plumb::fast::cpu {

inline constexpr std::string_view kCsrTypeName = "tensorflow::CSRSparseMatrix";

// int64 [2 or 3]; int32 [batch + 1], [batch · (rows + 1)] and [n]; values [n].
struct CsrMatrix final : VariantPayload {
  Tensor shape, batches, rows, columns, values;

  std::string_view type_name() const override { return kCsrTypeName; }
  EncodedVariant Encode() const override {
    return {std::string(kCsrTypeName), "", {shape, batches, rows, columns, values}};
  }
  // Only values lie where the matrix is used.
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CsrMatrix>(*this);
    result->values = copy(values);
    return result;
  }
};

// The matrix in a tensor; else kInvalidArgument.
inline const CsrMatrix& CsrAt(const Tensor& handle, const std::string& node) {
  Require(handle.rank() == 0, "node ", node, ": a sparse matrix is a scalar, not of shape ", Printed(handle.shape()));
  const Variant& element = handle.data<Variant>()[0];
  const auto* const matrix = dynamic_cast<const CsrMatrix*>(element.payload.get());
  Require(matrix != nullptr, "node ", node, ": a sparse matrix is needed, not a variant of type '", element.type_name,
          "'");
  return *matrix;
}

// The same of elements of this type.
inline const CsrMatrix& CsrAt(const Tensor& handle, DType type, const std::string& node) {
  const CsrMatrix& matrix = CsrAt(handle, node);
  Require(matrix.values.dtype() == type, "node ", node, ": the matrix holds ", DTypeName(matrix.values.dtype()),
          ", not ", DTypeName(type));
  return matrix;
}

inline void SetCsr(KernelContext& context, std::shared_ptr<CsrMatrix> matrix) {
  context.AllocateOutput(0, DType::kVariant, Shape()).mutable_data<Variant>()[0] = {std::string(kCsrTypeName), "",
                                                                                    std::move(matrix)};
}

}  // namespace plumb::fast::cpu
