// What CTC decoders take and give.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

// How long each sequence of inputs [time, batch, class] is, all checked.
inline std::vector<int64_t> SequenceLengths(const Shape& inputs, const Tensor& lengths) {
  Require(inputs.rank() == 3, "inputs must be [time, batch, class], not ", Printed(inputs));
  Require(inputs.elements() > 0, "inputs must not be empty, as of shape ", Printed(inputs));
  Require(lengths.rank() == 1, "sequence_length must be a vector, not ", Printed(lengths.shape()));
  if (lengths.elements() != inputs[1]) {
    throw FailedPrecondition("sequence_length must have ", inputs[1], " entries, not ", lengths.elements());
  }
  std::vector<int64_t> values = ToInt64s(lengths);
  for (int64_t& length : values) {
    if (length < 0) length = 0;  // TensorFlow's loop over its times does not begin
    if (length > inputs[0]) {
      throw FailedPrecondition("sequence_length ", length, " is beyond ", inputs[0]);
    }
  }
  return values;
}

// One sequence for each of the batch as a sparse matrix: coordinates, values and shape are the outputs `first`,
// `first` + `apart` and `first` + 2·`apart`.
inline void SetDecoded(KernelContext& context, int first, int apart, const std::vector<std::vector<int64_t>>& decoded) {
  size_t count = 0, longest = 0;
  for (const auto& sequence : decoded) {
    count += sequence.size();
    longest = std::max(longest, sequence.size());
  }
  const auto size = static_cast<int64_t>(count);
  int64_t* index = context.AllocateOutput(first, DType::kInt64, {size, 2}).mutable_data<int64_t>().data();
  int64_t* value = context.AllocateOutput(first + apart, DType::kInt64, {size}).mutable_data<int64_t>().data();
  for (size_t b = 0; b < decoded.size(); ++b) {
    for (size_t i = 0; i < decoded[b].size(); ++i) {
      *index++ = static_cast<int64_t>(b);
      *index++ = static_cast<int64_t>(i);
      *value++ = decoded[b][i];
    }
  }
  Tensor& shape = context.AllocateOutput(first + 2 * apart, DType::kInt64, {2});
  shape.mutable_data<int64_t>()[0] = static_cast<int64_t>(decoded.size());
  shape.mutable_data<int64_t>()[1] = static_cast<int64_t>(longest);
}

}  // namespace plumb::fast::cpu
