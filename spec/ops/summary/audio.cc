#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

}  // namespace

std::span<const OpRow> SummaryAudio() {
  static const OpRow rows[] = {
      {.signature = "AudioSummary(tag: string, tensor: float32) -> (summary: string)",
       .attrs = "sample_rate: float; max_outputs: int = 3 >= 1",
       .doc = "AudioSummaryV2 with a sample rate that an attribute says.",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"sample_rate=44100.0 max_outputs=1/2: 'mono' [b n]", "sample_rate=8000.5: 'stereo' [b n 2]",
                   "sample_rate=0.25: '' [3 2 C]"},
       .deprecated = {15, "Use AudioSummaryV2."}},
      {.signature = "AudioSummaryV2(tag: string, tensor: float32, sample_rate: float32) -> (summary: string)",
       .attrs = "max_outputs: int = 3 >= 1",
       .doc = "A summary with the first max_outputs pieces of sound of [batch, frames] or [batch, frames, channels] as "
              "WAV files of 16 bits; -1 to 1 is their full range.",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"max_outputs=1/2: 'mono' [b n] 44100", "'stereo' [b n 2] 8000.5", "'' [3 2 C] 0.25"}},
  };
  return rows;
}

}  // namespace plumb::topics
