// A text as a character language model reads it: numbered characters, in parallel streams.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::tools {

// The characters that a text uses, numbered in byte order.
class Alphabet {
 public:
  explicit Alphabet(std::string_view text);
  int64_t size() const { return static_cast<int64_t>(characters_.size()); }
  // kInvalidArgument for a character that the text did not have.
  std::vector<int32_t> Encode(std::string_view text) const;

 private:
  std::string characters_;
  std::array<int32_t, 256> number_;
};

// Cuts a text into `batch` streams that are read side by side, `steps` characters at a time, so that the state of a
// step carries over to the next.
class TextStreams {
 public:
  // kInvalidArgument when the text is too short for one step of every stream.
  TextStreams(std::vector<int32_t> characters, int64_t batch, int64_t steps);

  int64_t steps_per_pass() const { return (stream_length_ - 1) / steps_; }
  struct Window {
    Tensor inputs;     // int32 [steps, batch]
    Tensor targets;    // the characters that follow them
    bool starts_over;  // the streams begin again: no state carries over
  };
  Window Next();

 private:
  std::vector<int32_t> characters_;
  int64_t batch_, steps_, stream_length_;
  int64_t position_ = 0;
};

}  // namespace plumb::tools
