// Values and failures on their way through plumb_backend.h.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "backends/library/library.h"
#include "spec/core/tensor.h"

namespace plumb::library {

inline PlumbString Lend(const std::string& text) { return {text.data(), text.size()}; }

// Tensors and names as a library sees them; valid as long as this and what was lent are.
class Lent {
 public:
  PlumbTensor Lend(const Tensor& tensor);
  std::span<const PlumbString> Lend(std::span<const std::string> names);

 private:
  std::deque<std::vector<PlumbString>> strings_;
  std::deque<std::string> messages_;
};

// A copy of what a library hands over for `what`. Throws a fault of the library for what is no value.
Tensor Taken(const Library& library, const PlumbTensor* value, const std::string& what);

// A copy of a text of a library's, for `what`. Throws a fault of the library for what is none.
std::string TakenText(const Library& library, const PlumbString& text, const std::string& what);

// Where a library says why it failed.
class Failure {
 public:
  explicit Failure(const Library& library) : library_(library) {}
  PlumbError* error() { return &error_; }
  // What the function answered, as a status. A code that does not exist is a fault of the library.
  Status StatusOf(int32_t code);

 private:
  const Library& library_;
  char message_[4096] = {};
  PlumbError error_{PLUMB_REASON_OTHER, sizeof(message_), message_};
};

}  // namespace plumb::library
