// Sound in WAV files.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"
#include "spec/formats/wav_reader.h"
#include "spec/formats/wav_writer.h"

namespace plumb::reference {
namespace {

constexpr float kFull = 32768;  // what 1 is as a whole number

void CheckSizes(const Node& node) {
  for (const char* attr : {"desired_channels", "desired_samples"}) {
    const auto size = GetAttr<int64_t>(node.attrs, attr);
    Require(size >= -1 && size <= INT32_MAX, "node ", node.name, ": ", attr,
            " must be from 0 to 2^31 - 1, or -1 for all, not ", size);
  }
}

void DecodeWav(OpContext& c) {
  Require(c.tensor(0).rank() == 0, "contents must be a scalar, not of shape ", c.tensor(0).shape().ToString());
  const std::string contents = c.tensor(0).scalar<std::string>();
  const WavSound sound = ReadWav(contents);
  const auto size = [&](const char* attr, int64_t there) {
    const auto wanted = c.attr<int64_t>(attr);
    return wanted == -1 ? there : wanted;
  };
  const Shape shape{size("desired_samples", sound.frames), size("desired_channels", sound.channels)};
  CheckResultSize(shape);
  Tensor audio(DType::kFloat, shape);
  for (int64_t frame = 0; frame < shape.dim(0); ++frame) {
    for (int64_t channel = 0; channel < shape.dim(1); ++channel) {
      const int64_t from = std::min(channel, sound.channels - 1);
      audio.mutable_data<float>()[frame * shape.dim(1) + channel] =
          frame < sound.frames ? static_cast<float>(sound.At(frame, from)) / kFull : 0;
    }
  }
  c.Output(0, std::move(audio));
  c.Output(1, MakeScalar(static_cast<int32_t>(sound.sample_rate)));
}

// Rounded to nearest, ties away from zero; NaN is silence.
std::string Sample(float number) {
  const float scaled = std::round(number * kFull);
  const auto sample = std::isnan(scaled) ? 0 : static_cast<int>(std::clamp(scaled, -kFull, kFull - 1));
  return {static_cast<char>(sample & 0xff), static_cast<char>(sample >> 8 & 0xff)};
}

void EncodeWav(OpContext& c) {
  const Tensor &audio = c.tensor(0), &rate = c.tensor(1);
  Require(audio.rank() == 2, "audio must have the shape [frames, channels], not ", audio.shape().ToString());
  Require(rate.rank() == 0, "sample_rate must be a scalar, not of shape ", rate.shape().ToString());
  std::string file = WavHeader(rate.scalar<int32_t>(), audio.dim(1), audio.elements());
  for (const float number : audio.data<float>()) file += Sample(number);
  c.Output(0, MakeScalar(std::move(file)));
}

constexpr KernelRow kRows[] = {
    {"DecodeWav", DecodeWav, CheckSizes},
    {"EncodeWav", EncodeWav},
};

}  // namespace

namespace topics {
std::span<const KernelRow> AudioWav() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
