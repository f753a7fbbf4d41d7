// What summaries show, for the ops that give summaries and for those that write them into files.
#pragma once

#include <string>

#include "reference/kernel/op_context.h"
#include "spec/proto/event.pb.h"

namespace plumb::reference {

// The histogram of a tensor's elements (histogram.cc).
void ShowHistogram(const std::string& tag, const Tensor& values, pb::Summary* summary);

// The first `most` images, and the color of pixels that are not finite (image.cc).
void ShowImages(const std::string& tag, const Tensor& images, const Tensor& bad_color, int64_t most,
                pb::Summary* summary);
void RequireColor(const Tensor& bad_color);

// The first `most` pieces of sound (audio.cc).
void ShowSounds(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most, pb::Summary* summary);

}  // namespace plumb::reference
