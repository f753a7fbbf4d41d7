#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The numbers of a string are one more dimension.
Shapes RawShapes(const ShapeContext& c) { return {Join(c.input(0), PartialShape{-1})}; }

// A length is looked at where it is known.
Shapes PaddedRawShapes(const ShapeContext& c) {
  if (c.constant(1) == nullptr) return RawShapes(c);
  const int64_t length = ConstantSize(c, 1);
  const auto size = static_cast<int64_t>(ElementSize(c.attr<DType>("out_type")));
  Require(length % size == 0, InputName(c, 1), " must be a multiple of ", size, ", not ", length);
  return {Join(c.input(0), PartialShape{length / size})};
}

}  // namespace

std::span<const OpRow> ParsingRaw() {
  static const OpRow rows[] = {
      {.signature = "DecodeRaw(bytes: string) -> (output: out_type)",
       .attrs = "out_type: type in [float16, float32, float64, int32, uint16, uint8, int16, int8, int64, complex64, "
                "complex128, bool, bfloat16]; little_endian: bool = true",
       .doc = "The bytes of strings, all of one length, as numbers: one more dimension.",
       .cpu = "out_type in [bfloat16, bool, complex64, complex128, float16, float32, float64, int16, int32, int64, "
              "int8, uint16, uint8]",
       .shape_fn = RawShapes,
       .gradient = BlocksGradient(),
       .samples = {"little_endian=true/false: {'abcdefghijklmnop', x'0001020304050607f8f9fafbfcfdfeff'}",
                   "little_endian=true/false: {{x'3ff0000000000000bff0000000000000', 'ponmlkjihgfedcba'}}",
                   "little_endian=true/false: {'', ''}",
                   "out_type in [uint8, int8, bool] little_endian=true/false: x'00010203'"}},
      {.signature = "DecodePaddedRaw(input_bytes: string, fixed_length: int32) -> (output: out_type)",
       .attrs = "out_type: type in [float16, float32, float64, int32, uint16, uint8, int16, int8, int64, bfloat16]; "
                "little_endian: bool = true",
       .doc = "The bytes of strings as numbers, each string cut or filled up with zeros to fixed_length.",
       .cpu = "out_type in [bfloat16, float32, float64, int16, int32, int64, int8, uint16, uint8]",
       .shape_fn = PaddedRawShapes,
       .gradient = BlocksGradient(),
       .samples = {"little_endian=true/false: [d...] 16",
                   "little_endian=true/false: {'', 'abc', 'abcdefghijklmnop', x'fffefdfcfbfaf9f8'} 8"}},
  };
  return rows;
}

}  // namespace plumb::topics
