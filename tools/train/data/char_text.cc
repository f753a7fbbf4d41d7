#include "tools/train/data/char_text.h"

namespace plumb::tools {

Alphabet::Alphabet(std::string_view text) {
  number_.fill(-1);
  for (const char character : text) number_[static_cast<uint8_t>(character)] = 0;
  for (size_t byte = 0; byte < number_.size(); ++byte) {
    if (number_[byte] < 0) continue;
    number_[byte] = static_cast<int32_t>(characters_.size());
    characters_.push_back(static_cast<char>(byte));
  }
}

std::vector<int32_t> Alphabet::Encode(std::string_view text) const {
  std::vector<int32_t> numbers;
  numbers.reserve(text.size());
  for (const char character : text) {
    const int32_t number = number_[static_cast<uint8_t>(character)];
    Require(number >= 0, "the byte ", static_cast<int>(static_cast<uint8_t>(character)), " is not in the alphabet");
    numbers.push_back(number);
  }
  return numbers;
}

TextStreams::TextStreams(std::vector<int32_t> characters, int64_t batch, int64_t steps)
    : characters_(std::move(characters)), batch_(batch), steps_(steps) {
  Require(batch >= 1 && steps >= 1, "at least one stream and one step are needed, not ", batch, " and ", steps);
  stream_length_ = static_cast<int64_t>(characters_.size()) / batch;
  Require(stream_length_ > steps, "a text of ", characters_.size(), " characters is too short for ", batch,
          " streams of more than ", steps, " characters");
}

TextStreams::Window TextStreams::Next() {
  if (position_ + steps_ + 1 > stream_length_) position_ = 0;
  Window window{Tensor(DType::kInt32, {steps_, batch_}), Tensor(DType::kInt32, {steps_, batch_}), position_ == 0};
  const auto inputs = window.inputs.mutable_data<int32_t>(), targets = window.targets.mutable_data<int32_t>();
  for (int64_t step = 0; step < steps_; ++step) {
    for (int64_t stream = 0; stream < batch_; ++stream) {
      const int64_t at = stream * stream_length_ + position_ + step;
      inputs[step * batch_ + stream] = characters_[at];
      targets[step * batch_ + stream] = characters_[at + 1];
    }
  }
  position_ += steps_;
  return window;
}

}  // namespace plumb::tools
