// Tensors as text for people.
#pragma once

#include <charconv>
#include <string>

#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

template <class T>
void AppendInteger(T number, std::string& text) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
  text.append(buffer, static_cast<size_t>(end.ptr - buffer));
}

// Nested brackets around the first and the last `summarize` entries of each axis; all, where it is negative.
void AppendSummary(const Tensor& tensor, int64_t summarize, std::string& text);

// The first `most` elements, or all where it is negative, those of each row in brackets but for the outermost.
void AppendFirst(const Tensor& tensor, int64_t most, std::string& text);

}  // namespace plumb::fast::cpu
