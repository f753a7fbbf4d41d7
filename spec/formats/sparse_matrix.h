// How a sparse matrix by rows is written down as an element of a variant tensor.
#pragma once

#include <string>
#include <string_view>

#include "spec/core/dtype.h"

namespace plumb {

inline constexpr std::string_view kSparseMatrixTypeName = "tensorflow::CSRSparseMatrix";

// TensorFlow's record has the shape, where matrices and rows begin, columns and values as its tensors. Its metadata are
// a struct of a bool, that all was checked, and the number of the element type in the last four of eight bytes.
inline std::string SparseMatrixMetadata(DType element_dtype) {
  std::string metadata = {1, 0, 0, 0};
  const auto number = static_cast<uint32_t>(element_dtype);
  for (int shift = 0; shift < 32; shift += 8) metadata += static_cast<char>(number >> shift);
  return metadata;
}

// TensorFlow leaves the bytes between the two as they were in memory.
inline bool IsSparseMatrixMetadata(std::string_view metadata, DType element_dtype) {
  return metadata.size() == 8 && metadata[0] == 1 &&
         metadata.substr(4) == SparseMatrixMetadata(element_dtype).substr(4);
}

}  // namespace plumb
