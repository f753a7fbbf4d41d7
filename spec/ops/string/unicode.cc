#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Where the characters of each string begin, the characters, and at which bytes they began.
Shapes DecodeShapes(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  int64_t strings = input.has_rank() ? 1 : -1;
  for (int axis = 0; axis < input.rank(); ++axis) strings = MultiplySizes(c, strings, input.dim(axis));
  Shapes shapes(static_cast<size_t>(c.num_outputs()), PartialShape{-1});
  shapes[0] = PartialShape{AddSizes(strings, 1)};
  return shapes;
}

Shapes EncodeShapes(const ShapeContext& c) {
  WithRank(c, 0, 1);
  return {PartialShape{SubtractSizes(c, WithRank(c, 1, 1).dim(0), 1)}};
}

constexpr char kDecodeAttrs[] =
    "input_encoding: string; errors: string = 'replace' in ['strict', 'replace', 'ignore']; replacement_char: int = "
    "65533; replace_control_characters: bool = false; Tsplits: type = int64 in [int32, int64]";

// Every kind of malformed bytes in each encoding, and well-formed ones in 'strict' too.
std::vector<const char*> DecodingSamples() {
  return {"input_encoding='UTF-8' errors='strict'/'replace'/'ignore': [d...]",
          "input_encoding='UTF-8' errors='replace'/'ignore' replacement_char=63/65533: {{x'61ff62', x'e282', "
          "x'f09f9880f09f'}, {x'eda080', x'c0afc3', x'f4908080e4bd'}}",
          "input_encoding='UTF-8' errors='replace'/'ignore' replace_control_characters=true/false: {x'00411f20', "
          "'text'}",
          "input_encoding='UTF-16-BE'/'UTF-16'/'UTF-16-LE' errors='replace'/'ignore': {x'feff0061', x'fffe6100d83d', "
          "x'd83dde00dc0061', 'odd'}",
          "input_encoding='UTF-32-BE'/'UTF-32'/'UTF-32-LE' errors='replace'/'ignore': {x'0000feff00000061', "
          "x'fffe000061000000', x'0001f6000000d80000110000', 'x'}",
          "input_encoding='US-ASCII'/'ISO-8859-1' errors='replace'/'ignore': {x'41e980', '', 'text'}",
          "input_encoding='Shift_JIS'/'EUC-JP'/'windows-1252'/'gb18030'/'ISO-2022-JP' errors='replace'/'ignore' "
          "replacement_char=63/65533: {x'83658358ff20', x'a4a283', x'80e4', x'1b2442242283', ''}",
          "input_encoding='UTF-8'/'ISO-8859-1' Tsplits in [int32, int64]: [d...]"};
}

}  // namespace

std::span<const OpRow> StringUnicode() {
  static const OpRow rows[] = {
      {.signature = "UnicodeDecode(input: string) -> (row_splits: Tsplits, char_values: int32)",
       .attrs = kDecodeAttrs,
       .doc = "The characters of all strings as code points, one string behind the other; those of string i begin at "
              "row_splits[i]. What is malformed fails ('strict'), becomes replacement_char, or is left out. Both sides "
              "read code pages through ICU, and recorded answers judge them.",
       .cpu = "Tsplits in [int32, int64]",
       .shape_fn = DecodeShapes,
       .samples = DecodingSamples()},
      {.signature = "UnicodeDecodeWithOffsets(input: string) -> (row_splits: Tsplits, char_values: int32, "
                    "char_to_byte_starts: int64)",
       .attrs = kDecodeAttrs,
       .doc = "UnicodeDecode, and at which byte of its string each character begins.",
       .cpu = "Tsplits in [int32, int64]",
       .shape_fn = DecodeShapes,
       .samples = DecodingSamples()},
      {.signature = "UnicodeEncode(input_values: int32, input_splits: Tsplits) -> (output: string)",
       .attrs = "errors: string = 'replace' in ['ignore', 'replace', 'strict']; output_encoding: string in ['UTF-8', "
                "'UTF-16-BE', 'UTF-32-BE']; replacement_char: int = 65533; Tsplits: type = int64 in [int32, int64]",
       .doc = "String i is made of the code points from input_splits[i] to input_splits[i + 1]. One that is no "
              "character fails ('strict'), or becomes replacement_char, or, outside of Unicode, is left out.",
       .cpu = "Tsplits in [int32, int64]",
       .shape_fn = EncodeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples =
           {"k = Size T=float32 out_type=$Tsplits: [n]; l = AddV2 T=$Tsplits: k 1; s = Range Tidx=$Tsplits: 0 l 1; "
            "output_encoding='UTF-8' errors='replace': [n] in 32..9000 s",
            "output_encoding='UTF-8'/'UTF-16-BE'/'UTF-32-BE' errors='replace'/'ignore'/'strict': {72, 228, 8364, "
            "128512, 65} {0, 2, 2, 5}",
            "output_encoding='UTF-8' errors='strict': {97, 1114112} {0, 2}",
            "output_encoding='UTF-8'/'UTF-16-BE'/'UTF-32-BE' errors='replace'/'ignore' "
            "replacement_char=65533/63/128512: {-1, 1114112, 65534, 55357, 56832, 56832, 97, 64976} {0, 1, 3, "
            "5, 8}",
            "output_encoding='UTF-8'/'UTF-16-BE'/'UTF-32-BE': [5] in 0..1200000 {0, 0, 4, 5}",
            "output_encoding='UTF-8'/'UTF-16-BE': [n] in 1..3000 {0, n}"}},
      {.signature = "UnicodeTranscode(input: string) -> (output: string)",
       .attrs = "input_encoding: string; output_encoding: string in ['UTF-8', 'UTF-16-BE', 'UTF-32-BE']; errors: "
                "string = 'replace' in ['strict', 'replace', 'ignore']; replacement_char: int = 65533; "
                "replace_control_characters: bool = false",
       .doc = "Each string in another encoding. What is malformed fails ('strict'), becomes replacement_char, or is "
              "left out; so are control characters if asked for.",
       .shape = "[d...] -> [d...]",
       .samples =
           {"input_encoding='UTF-8' output_encoding='UTF-8'/'UTF-16-BE'/'UTF-32-BE' errors='strict'/'ignore': [d...]",
            "input_encoding='UTF-8' output_encoding='UTF-8'/'UTF-16-BE'/'UTF-32-BE' errors='replace'/'ignore' "
            "replacement_char=63/65533/128512: {{x'61ff62', x'e282', x'f09f9880f09f'}, {x'eda080', x'c0afc3', "
            "x'f4908080e4bd'}}",
            "input_encoding='UTF-16-BE'/'UTF-16'/'UTF-16-LE' output_encoding='UTF-8'/'UTF-32-BE': {x'feff0061', "
            "x'fffe6100d83d', x'd83dde00dc0061', 'odd'}",
            "input_encoding='US-ASCII'/'ISO-8859-1' output_encoding='UTF-8' replace_control_characters=true/false: "
            "{x'41e980', x'0e0f', 'text'}",
            "input_encoding='sjis'/'EUC-KR'/'ISO-8859-15' output_encoding='UTF-8'/'UTF-16-BE' "
            "errors='replace'/'ignore': {x'6183ff628365', x'b0a1b0', x'a4', 'text'}",
            "input_encoding='UTF-8' output_encoding='UTF-8' errors='replace'/'ignore' "
            "replace_control_characters=true: {x'00411f20', 'text'}"}},
  };
  return rows;
}

}  // namespace plumb::topics
