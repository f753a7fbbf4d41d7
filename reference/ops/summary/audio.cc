#include <algorithm>
#include <cmath>

#include "reference/ops/summary/shown.h"
#include "spec/formats/wav_writer.h"

namespace plumb::reference {
namespace {

// A number in [-1, 1] as 16 bits, rounded to nearest, ties away from zero; NaN is silence.
std::string Sample(float number) {
  const float scaled = std::round(number * 32768.0f);
  const auto sample = std::isnan(scaled) ? 0 : static_cast<int>(std::clamp(scaled, -32768.0f, 32767.0f));
  return {static_cast<char>(sample & 0xff), static_cast<char>(sample >> 8 & 0xff)};
}

// Input 2 of the second version, an attribute of the first.
float SampleRate(const OpContext& c) {
  if (c.num_inputs() == 2) return c.attr<float>("sample_rate");
  const Tensor& rate = c.tensor(2);
  Require(rate.elements() == 1, "sample_rate must be one number, not of shape ", rate.shape().ToString());
  return rate.data<float>()[0];
}

void AudioSummary(OpContext& c) {
  const Tensor& tag = c.tensor(0);
  Require(tag.rank() == 0, "tag must be a scalar, not of shape ", tag.shape().ToString());
  pb::Summary summary;
  ShowSounds(tag.scalar<std::string>(), c.tensor(1), SampleRate(c), c.attr<int64_t>("max_outputs"), &summary);
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

void CheckMost(const Node& node) {
  const auto most = GetAttr<int64_t>(node.attrs, "max_outputs");
  Require(most >= 1 && most <= INT32_MAX, "max_outputs must be from 1 to 2^31 - 1, not ", most);
}

constexpr KernelRow kRows[] = {
    {"AudioSummary", AudioSummary, CheckMost},
    {"AudioSummaryV2", AudioSummary, CheckMost},
};

}  // namespace

void ShowSounds(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most, pb::Summary* summary) {
  Require(sounds.rank() == 2 || sounds.rank() == 3, "sound must be of shape [batch, frames] or [batch, frames, ",
          "channels], not ", sounds.shape().ToString());
  Require(0 < sample_rate && sample_rate < 0x1p32F, "sample_rate must be in (0, 2^32), not ", sample_rate);
  const int64_t frames = sounds.dim(1), channels = sounds.rank() == 2 ? 1 : sounds.dim(2);
  for (int64_t i = 0; i < std::min(most, sounds.dim(0)); ++i) {
    const auto whole_rate = std::max<int64_t>(1, std::lrint(sample_rate));
    std::string file = WavHeader(whole_rate, channels, frames * channels);
    for (int64_t k = 0; k < frames * channels; ++k) file += Sample(sounds.data<float>()[i * frames * channels + k]);
    pb::Summary::Value* const value = summary->add_value();
    value->set_tag(tag + "/audio" + (most > 1 ? "/" + std::to_string(i) : ""));
    value->mutable_audio()->set_sample_rate(sample_rate);
    value->mutable_audio()->set_num_channels(channels);
    value->mutable_audio()->set_length_frames(frames);
    value->mutable_audio()->set_content_type("audio/wav");
    value->mutable_audio()->set_encoded_audio_string(file);
  }
}

namespace topics {
std::span<const KernelRow> SummaryAudio() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
