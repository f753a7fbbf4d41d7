#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Eight bytes for each row; `method` is the only one that there is.
Shapes FingerprintShapes(const ShapeContext& c) {
  const PartialShape& data = WithRankAtLeast(c, 0, 1);
  RequireScalar(c, 1);
  const Tensor* const method = c.constant(1);
  Require(method == nullptr || method->scalar<std::string>() == "farmhash64", InputName(c, 1), " must be 'farmhash64'");
  return {PartialShape{data.has_rank() ? data.dim(0) : -1, method == nullptr ? -1 : 8}};
}

}  // namespace

std::span<const OpRow> StringHash() {
  static const OpRow rows[] = {
      {.signature = "StringToHashBucketFast(input: string) -> (output: int64)",
       .attrs = "num_buckets: int >= 1",
       .doc = "FarmHash's Fingerprint64 of each string, modulo num_buckets.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"num_buckets=1/10/9223372036854775807: [d...]",
                   "num_buckets=1000000: {'abcdefgh', 'abcdefghijklmnopq', 'abcdefghijklmnopqrstuvwxyz0123456789', "
                   "'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789'}"}},
      {.signature = "StringToHashBucketStrong(input: string) -> (output: int64)",
       .attrs = "num_buckets: int >= 1; key: list(int)",
       .doc = "SipHash-2-4 of each string under a key of two numbers, modulo num_buckets.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"num_buckets=1/10/9223372036854775807 key=[98765, 132]: [d...]",
                   "num_buckets=1000000 key=[-1, 5]: {'abcdefg', 'abcdefgh', 'abcdefghijklmnopqrstuvwxyz'}"}},
      {.signature = "StringToHashBucket(string_tensor: string) -> (output: int64)",
       .attrs = "num_buckets: int >= 1",
       .doc = "MurmurHash64A of each string, modulo num_buckets.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"num_buckets=1/10/9223372036854775807: [d...]",
                   "num_buckets=1000000: {'abcdefg', 'abcdefgh', 'abcdefghijklmnopqrstuvwxyz'}"}},
      {.signature = "SdcaFprint(input: string) -> (output: int64)",
       .doc = "FarmHash's Fingerprint128 of each string, the low half first: the keys of examples of SdcaOptimizer.",
       .shape = "[n] -> [n 2]",
       .gradient = BlocksGradient(),
       .samples = {"[n]",
                   "{'', 'abc', 'abcdefgh', 'abcdefghijklmnopq', 'abcdefghijklmnopqrstuvwxyz0123456789', "
                   "'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"
                   "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz'}"}},
      {.signature = "Fingerprint(data: T, method: string) -> (fingerprint: uint8)",
       .attrs = "T: type",
       .doc = "FarmHash's Fingerprint64 of the bytes of each row as eight bytes, the lowest first. A row of several "
              "strings is hashed by their fingerprints.",
       .shape_fn = FingerprintShapes,
       .samples = {"[m d...] 'farmhash64'", "T in [string]: [m n] 'farmhash64'", "T in [string]: [m] 'farmhash64'"}},
  };
  return rows;
}

}  // namespace plumb::topics
