#include <algorithm>
#include <cmath>
#include <cstring>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/formats/wav_writer.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {
namespace {

class AudioSummaryKernel : public Kernel {
 public:
  explicit AudioSummaryKernel(const Node& node) : node_(node.name), most_(GetAttr<int64_t>(node.attrs, "max_outputs")) {
    Require(most_ >= 1 && most_ <= INT32_MAX, "node ", node_, ": max_outputs has 31 bits, and is not ", most_);
  }

  void Run(KernelContext& context) override {
    const Tensor &tag = context.input(0), &sounds = context.input(1), &rate = context.input(2);
    Require(tag.rank() == 0 && rate.elements() == 1, "node ", node_, ": there is one tag and one sample_rate, not ",
            Printed(tag.shape()), " and ", Printed(rate.shape()));
    Require(sounds.rank() == 2 || sounds.rank() == 3, "node ", node_, ": sound has the shape [batch, frames] or [batch",
            ", frames, channels], not ", Printed(sounds.shape()));
    const float hertz = rate.data<float>()[0];
    Require(hertz > 0 && hertz < kLimit, "node ", node_, ": sample_rate is positive and has 32 bits, and is not ",
            hertz);
    pb::Summary summary;
    const int64_t count = std::min(most_, sounds.dim(0));
    for (int64_t i = 0; i < count; ++i) {
      pb::Summary::Value& value = *summary.add_value();
      value.set_tag(tag.scalar<std::string>() + (most_ > 1 ? "/audio/" + std::to_string(i) : "/audio"));
      Fill(sounds, i, hertz, *value.mutable_audio());
    }
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }

 private:
  static constexpr float kLimit = 4294967296.0f;  // rates from here on have no place in the header

  static void Fill(const Tensor& sounds, int64_t i, float rate, pb::Summary::Audio& audio) {
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

  const std::string node_;
  const int64_t most_;
};

constexpr KernelRow kRows[] = {
    {"AudioSummaryV2", Make<AudioSummaryKernel>},
};

}  // namespace

std::span<const KernelRow> SummaryAudio() { return kRows; }

}  // namespace plumb::fast::cpu
