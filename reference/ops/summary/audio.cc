#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "spec/formats/wav_writer.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {
namespace {

// A number in [-1, 1] as 16 bits, rounded to nearest, ties away from zero; NaN is silence.
std::string Sample(float number) {
  const float scaled = std::round(number * 32768.0f);
  const auto sample = std::isnan(scaled) ? 0 : static_cast<int>(std::clamp(scaled, -32768.0f, 32767.0f));
  return {static_cast<char>(sample & 0xff), static_cast<char>(sample >> 8 & 0xff)};
}

void AudioSummary(OpContext& c) {
  const Tensor &tag = c.tensor(0), &sounds = c.tensor(1), &rate = c.tensor(2);
  Require(tag.rank() == 0, "tag must be a scalar, not of shape ", tag.shape().ToString());
  Require(sounds.rank() == 2 || sounds.rank() == 3, "sound must be of shape [batch, frames] or [batch, frames, ",
          "channels], not ", sounds.shape().ToString());
  Require(rate.elements() == 1, "sample_rate must be one number, not of shape ", rate.shape().ToString());
  const float sample_rate = rate.data<float>()[0];
  Require(0 < sample_rate && sample_rate < 0x1p32F, "sample_rate must be in (0, 2^32), not ", sample_rate);
  const auto most = c.attr<int64_t>("max_outputs");
  const int64_t frames = sounds.dim(1), channels = sounds.rank() == 2 ? 1 : sounds.dim(2);
  pb::Summary summary;
  for (int64_t i = 0; i < std::min(most, sounds.dim(0)); ++i) {
    const auto whole_rate = std::max<int64_t>(1, std::lrint(sample_rate));
    std::string file = WavHeader(whole_rate, channels, frames * channels);
    for (int64_t k = 0; k < frames * channels; ++k) file += Sample(sounds.data<float>()[i * frames * channels + k]);
    pb::Summary::Value* const value = summary.add_value();
    value->set_tag(tag.scalar<std::string>() + "/audio" + (most > 1 ? "/" + std::to_string(i) : ""));
    value->mutable_audio()->set_sample_rate(sample_rate);
    value->mutable_audio()->set_num_channels(channels);
    value->mutable_audio()->set_length_frames(frames);
    value->mutable_audio()->set_content_type("audio/wav");
    value->mutable_audio()->set_encoded_audio_string(file);
  }
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

void CheckMost(const Node& node) {
  const auto most = GetAttr<int64_t>(node.attrs, "max_outputs");
  Require(most >= 1 && most <= INT32_MAX, "max_outputs must be from 1 to 2^31 - 1, not ", most);
}

constexpr KernelRow kRows[] = {
    {"AudioSummaryV2", AudioSummary, CheckMost},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SummaryAudio() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
