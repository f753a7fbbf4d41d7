#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes NGramsShapes(const ShapeContext& c) {
  // What has no data gives them back, of whatever shape.
  const bool is_vector = c.input(0).has_rank();
  WithRank(c, 0, 1);
  WithRank(c, 1, 1);
  return {is_vector ? PartialShape{-1} : PartialShape(), c.input(1)};
}

}  // namespace

std::span<const OpRow> StringNgrams() {
  static const OpRow rows[] = {
      {.signature = "StringNGrams(data: string, data_splits: Tsplits) -> (ngrams: string, ngrams_splits: Tsplits)",
       .attrs = "separator: string; ngram_widths: list(int) >= 0; left_pad: string; right_pad: string; pad_width: int; "
                "preserve_short_sequences: bool; Tsplits: type = int64 in [int32, int64]",
       .doc = "Rows of tokens, which begin at data_splits, as rows of n-grams: for each width the runs of so many "
              "tokens, joined with separator. Each row is lengthened by pad_width pads on both sides, by at most width "
              "- 1, and by just as many where pad_width is negative. A row too short for any may be one n-gram.",
       .cpu = "Tsplits in [int32, int64]",
       .shape_fn = NGramsShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples =
           {"k = Size T=float32 out_type=$Tsplits: [n]; l = AddV2 T=$Tsplits: k 1; s = Range Tidx=$Tsplits: 0 l 1; "
            "separator='+' ngram_widths=[2] left_pad='<' right_pad='>' pad_width=1 "
            "preserve_short_sequences=false: [n] s",
            "separator=' ' ngram_widths=[2] left_pad='<' right_pad='>' pad_width=-1/0/1 "
            "preserve_short_sequences=true/false: {'a', 'b', 'c', 'd', 'e'} {0, 3, 3, 5}",
            "separator='' ngram_widths=[1, 3, 6] left_pad='L' right_pad='' pad_width=-1/0/2/9 "
            "preserve_short_sequences=true/false: {'a', 'bc', 'd', 'e', ''} {0, 0, 4, 5}",
            "separator='|' ngram_widths=[] left_pad='L' right_pad='RR' pad_width=0/2 "
            "preserve_short_sequences=true/false: {'a', 'b', 'c'} {0, 2, 2, 3}",
            "separator='-' ngram_widths=[3] left_pad='(' right_pad=')' pad_width=-1/1 "
            "preserve_short_sequences=true/false: [N] {0, N}",
            "separator=',' ngram_widths=[2] left_pad='' right_pad='' pad_width=1 "
            "preserve_short_sequences=true/false: [0] {0, 0, 0}",
            "separator=',' ngram_widths=[2] left_pad='' right_pad='' pad_width=1 "
            "preserve_short_sequences=true/false: [n] {}"}},
  };
  return rows;
}

}  // namespace plumb::topics
