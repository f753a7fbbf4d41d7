// Sound in WAV files.
#include <algorithm>
#include <cmath>
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/formats/wav_reader.h"
#include "spec/formats/wav_writer.h"

namespace plumb::fast::cpu {
namespace {

class DecodeWavKernel final : public Kernel {
 public:
  explicit DecodeWavKernel(const Node& node)
      : channels_(Size(node, "desired_channels")), frames_(Size(node, "desired_samples")) {}

  void Run(KernelContext& context) override {
    const Tensor& contents = context.input(0);
    Require(contents.rank() == 0, "contents must be a scalar, not of shape ", Printed(contents.shape()));
    const WavSound sound = ReadWav(contents.data<std::string>()[0]);
    const int64_t channels = channels_ == -1 ? sound.channels : channels_;
    const int64_t frames = frames_ == -1 ? sound.frames : frames_, there = std::min(frames, sound.frames);
    Tensor& audio = context.AllocateOutput(0, DType::kFloat, Shape({frames, channels}));
    float* const to = audio.mutable_data<float>().data();
    context.pool().ParallelFor(there, GrainFor(4 * channels), [&](int64_t begin, int64_t end) {
      float* out = to + begin * channels;
      for (int64_t frame = begin; frame < end; ++frame) {
        for (int64_t channel = 0; channel < channels; ++channel) {
          *out++ = static_cast<float>(sound.At(frame, std::min(channel, sound.channels - 1))) * 0x1p-15F;
        }
      }
    });
    std::fill(to + there * channels, to + frames * channels, 0.0F);
    context.AllocateOutput(1, DType::kInt32, Shape()).mutable_data<int32_t>()[0] =
        static_cast<int32_t>(sound.sample_rate);
  }

 private:
  static int64_t Size(const Node& node, const char* attr) {
    const auto size = GetAttr<int64_t>(node.attrs, attr);
    Require(size >= -1 && size <= INT32_MAX, attr, " is -1, or has 31 bits, and is not ", size);
    return size;
  }

  const int64_t channels_, frames_;
};

class EncodeWavKernel final : public Kernel {
 public:
  explicit EncodeWavKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor &audio = context.input(0), &rate = context.input(1);
    Require(audio.rank() == 2, "audio must have the shape [frames, channels], not ", Printed(audio.shape()));
    Require(rate.rank() == 0, "sample_rate must be a scalar, not of shape ", Printed(rate.shape()));
    std::string file = WavHeader(rate.data<int32_t>()[0], audio.dim(1), audio.elements());
    const size_t header = file.size();
    file.resize(header + 2 * static_cast<size_t>(audio.elements()));
    const float* const from = audio.data<float>().data();
    char* const to = file.data() + header;
    context.pool().ParallelFor(audio.elements(), GrainFor(4), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto bits = static_cast<uint16_t>(WholeNumber(from[i]));
        to[2 * i] = static_cast<char>(bits & 0xff);
        to[2 * i + 1] = static_cast<char>(bits >> 8);
      }
    });
    context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>()[0] = std::move(file);
  }

 private:
  static int16_t WholeNumber(float number) {
    const float scaled = std::round(number * 0x1p15F);
    if (scaled >= 32767.0F) return INT16_MAX;
    if (scaled <= -32768.0F) return INT16_MIN;
    return scaled == scaled ? static_cast<int16_t>(scaled) : int16_t{0};
  }
};

constexpr KernelRow kRows[] = {
    {"DecodeWav", Make<DecodeWavKernel>},
    {"EncodeWav", Make<EncodeWavKernel>},
};

}  // namespace

std::span<const KernelRow> AudioWav() { return kRows; }

}  // namespace plumb::fast::cpu
