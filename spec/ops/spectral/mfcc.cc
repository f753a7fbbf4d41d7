#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes MfccShapes(const ShapeContext& c) {
  const PartialShape spectrogram = WithRank(c, 0, 3);
  RequireScalar(c, 1);
  return {PartialShape{spectrogram.dim(0), spectrogram.dim(1), Int32Attr(c.attrs(), "dct_coefficient_count")}};
}

}  // namespace

std::span<const OpRow> SpectralMfcc() {
  static const OpRow rows[] = {
      {.signature = "Mfcc(spectrogram: float32, sample_rate: int32) -> (output: float32)",
       .attrs = "upper_frequency_limit: float = 4000; lower_frequency_limit: float = 20; filterbank_channel_count: int "
                "= 40; dct_coefficient_count: int = 13",
       .doc = "The mel-frequency cepstral coefficients of each frame of a spectrogram of squared magnitudes [channel, "
              "frame, bin], whose bins reach from 0 to half of the sample rate (1/s): the cosine transform of the "
              "logarithms of what triangular filters, evenly spaced on the mel scale between the limits (Hz), let "
              "through. INVALID_ARGUMENT for limits or numbers that make no filters; 0 where a limit lies beyond the "
              "last bin.",
       .shape_fn = MfccShapes,
       .strictness = Strictness::kStricterThanKernel,
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"filterbank_channel_count=8 dct_coefficient_count=5: [A B 33] positive 16000",
                   "upper_frequency_limit=3000.0 lower_frequency_limit=100.0 filterbank_channel_count=4 "
                   "dct_coefficient_count=4: [a b 65] finite 8000",
                   "upper_frequency_limit=9000.0 filterbank_channel_count=3 dct_coefficient_count=2: [A B 17] positive "
                   "16000"}},
  };
  return rows;
}

}  // namespace plumb::topics
