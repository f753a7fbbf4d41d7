// Row splits as a tensor: where the rows of a ragged axis begin and end.
#pragma once

#include <cstdint>
#include <span>

#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

// Where rows end that begin at `split` and are `size` more. kInvalidArgument where no int64 counts them: rows without
// elements take no memory.
inline int64_t SplitAfter(int64_t split, int64_t size) {
  int64_t next = 0;
  Require(!__builtin_add_overflow(split, size, &next), "row splits reach beyond int64");
  return next;
}

// Writes split `i` of a vector of int32 or int64. kInvalidArgument where int32 does not hold it.
inline void SetSplit(Tensor& splits, int64_t i, int64_t split) {
  if (splits.dtype() == DType::kInt64) {
    static_cast<int64_t*>(splits.mutable_raw())[i] = split;
    return;
  }
  Require(split == static_cast<int32_t>(split), "row splits reach ", split,
          ", which int32 cannot count; splits of int64 can");
  static_cast<int32_t*>(splits.mutable_raw())[i] = static_cast<int32_t>(split);
}
inline void SetSplits(Tensor& splits, std::span<const int64_t> all) {
  for (int64_t i = 0; i < std::ssize(all); ++i) SetSplit(splits, i, all[static_cast<size_t>(i)]);
}

}  // namespace plumb::fast::cpu
