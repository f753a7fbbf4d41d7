#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/summary/shown.h"
#include "spec/formats/wav_writer.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kLimit = 4294967296.0f;  // rates from here on have no place in the header

void Fill(const Tensor& sounds, int64_t i, float rate, pb::Summary::Audio& audio) {
  const int64_t frames = sounds.dim(1), channels = sounds.rank() == 2 ? 1 : sounds.dim(2);
  const int64_t samples = frames * channels;
  audio.set_sample_rate(rate);
  audio.set_num_channels(channels);
  audio.set_length_frames(frames);
  audio.set_content_type("audio/wav");
  std::string& file = *audio.mutable_encoded_audio_string();
  file = WavHeader(std::max<int64_t>(1, std::llrint(rate)), channels, samples);
  const size_t header = file.size();
  file.resize(header + static_cast<size_t>(samples) * sizeof(int16_t));
  const float* from = sounds.data<float>().data() + i * samples;
  for (int64_t k = 0; k < samples; ++k) {
    const float scaled = std::round(from[k] * 32768.0f);
    const int16_t sample = scaled >= 32767.0f    ? INT16_MAX
                           : scaled <= -32768.0f ? INT16_MIN
                           : scaled == scaled    ? static_cast<int16_t>(scaled)
                                                 : int16_t{0};
    std::memcpy(file.data() + header + static_cast<size_t>(k) * sizeof sample, &sample, sizeof sample);
  }
}

class AudioSummaryKernel : public Kernel {
 public:
  explicit AudioSummaryKernel(const Node& node) : most_(GetAttr<int64_t>(node.attrs, "max_outputs")) {
    Require(most_ >= 1 && most_ <= INT32_MAX, "max_outputs has 31 bits, and is not ", most_);
    if (node.attrs.contains("sample_rate")) rate_ = GetAttr<float>(node.attrs, "sample_rate");
  }

  void Run(KernelContext& context) override {
    const Tensor& tag = context.input(0);
    Require(tag.rank() == 0, "there is one tag, not ", Printed(tag.shape()));
    pb::Summary summary;
    ShowSounds(tag.scalar<std::string>(), context.input(1), SampleRate(context), most_, summary);
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }

 private:
  float SampleRate(KernelContext& context) const {
    if (rate_.has_value()) return *rate_;
    const Tensor& rate = context.input(2);
    Require(rate.elements() == 1, "there is one sample_rate, not ", Printed(rate.shape()));
    return rate.data<float>()[0];
  }

  const int64_t most_;
  std::optional<float> rate_;  // what an attribute says, where no input does
};

constexpr KernelRow kRows[] = {
    {"AudioSummary", Make<AudioSummaryKernel>},
    {"AudioSummaryV2", Make<AudioSummaryKernel>},
};

}  // namespace

void ShowSounds(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most, pb::Summary& summary) {
  Require(sounds.rank() == 2 || sounds.rank() == 3, "sound has the shape [batch, frames] or [batch",
          ", frames, channels], not ", Printed(sounds.shape()));
  Require(sample_rate > 0 && sample_rate < kLimit, "sample_rate is positive and has 32 bits, and is not ", sample_rate);
  const int64_t count = std::min(most, sounds.dim(0));
  for (int64_t i = 0; i < count; ++i) {
    pb::Summary::Value& value = *summary.add_value();
    value.set_tag(tag + (most > 1 ? "/audio/" + std::to_string(i) : "/audio"));
    Fill(sounds, i, sample_rate, *value.mutable_audio());
  }
}

std::span<const KernelRow> SummaryAudio() { return kRows; }

}  // namespace plumb::fast::cpu
