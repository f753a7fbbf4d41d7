// What summaries show, for the ops that give summaries and for those that write them into files. `node` is for errors.
#pragma once

#include <string>

#include "fastpath/device/kernel.h"
#include "spec/proto/event.pb.h"

namespace plumb::fast::cpu {

// The histogram of a tensor (histogram.cc).
void ShowHistogram(const Tensor& values, pb::HistogramProto& to);

// The first `most` images; bad_color is for pixels that are not finite (image.cc).
void ShowImages(ThreadPool& pool, const std::string& tag, const Tensor& images, const Tensor& bad_color, int64_t most,
                pb::Summary& summary);

// The first `most` pieces of sound (audio.cc).
void ShowSounds(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most, pb::Summary& summary);

}  // namespace plumb::fast::cpu
