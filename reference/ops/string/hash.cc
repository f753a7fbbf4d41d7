#include <bit>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"
#include "reference/ops/lib/fingerprint.h"
#include "reference/ops/lib/wide_fingerprint.h"

namespace plumb::reference {
namespace {

// ---- SipHash-2-4 ---------------------------------------------------------------------------------------------------

uint64_t SipHash(const std::string& s, uint64_t key0, uint64_t key1) {
  uint64_t v0 = key0 ^ 0x736f6d6570736575, v1 = key1 ^ 0x646f72616e646f6d;
  uint64_t v2 = key0 ^ 0x6c7967656e657261, v3 = key1 ^ 0x7465646279746573;
  const auto rounds = [&](int count) {
    for (; count > 0; --count) {
      v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
      v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
    }
  };
  const auto absorb = [&](uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  const size_t whole = s.size() / 8 * 8;
  for (size_t at = 0; at < whole; at += 8) absorb(NumberAt(s, at));
  absorb(NumberAt(s, whole, static_cast<int>(s.size() - whole)) | static_cast<uint64_t>(s.size()) << 56);
  v2 ^= 0xff;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

// ---- MurmurHash64A -------------------------------------------------------------------------------------------------

uint64_t MurmurHash(const std::string& s) {
  constexpr uint64_t kSeed = 0xdecafcaffe, kFactor = 0xc6a4a7935bd1e995;
  uint64_t hash = kSeed ^ s.size() * kFactor;
  size_t at = 0;
  for (; at + 8 <= s.size(); at += 8) {
    const uint64_t word = NumberAt(s, at) * kFactor;
    hash = (hash ^ Mixed(word) * kFactor) * kFactor;
  }
  if (at < s.size()) hash = (hash ^ NumberAt(s, at, static_cast<int>(s.size() - at))) * kFactor;
  return Mixed(Mixed(hash) * kFactor);
}

// ---- Buckets -------------------------------------------------------------------------------------------------------

template <class F>
void OutputBuckets(OpContext& c, F hash) {
  const Tensor& input = c.tensor(0);
  const auto buckets = static_cast<uint64_t>(c.attr<int64_t>("num_buckets"));
  Tensor results(DType::kInt64, input.shape());
  for (int64_t i = 0; i < input.elements(); ++i) {
    results.mutable_data<int64_t>()[i] = static_cast<int64_t>(hash(input.data<std::string>()[i]) % buckets);
  }
  c.Output(0, std::move(results));
}

void HashFast(OpContext& c) { OutputBuckets(c, FarmHash); }
void HashOld(OpContext& c) { OutputBuckets(c, MurmurHash); }
void HashStrong(OpContext& c) {
  const auto& key = c.attr<std::vector<int64_t>>("key");
  OutputBuckets(c, [&](const std::string& text) {
    return SipHash(text, static_cast<uint64_t>(key[0]), static_cast<uint64_t>(key[1]));
  });
}

void WideFingerprints(OpContext& c) {
  const Tensor& input = c.tensor(0);
  Require(input.rank() == 1, "input must be a vector, not of shape ", input.shape().ToString());
  Tensor results(DType::kInt64, Shape{input.dim(0), 2});
  for (int64_t i = 0; i < input.dim(0); ++i) {
    const auto [low, high] = WideFarmHash(input.data<std::string>()[i]);
    results.mutable_data<int64_t>()[2 * i] = static_cast<int64_t>(low);
    results.mutable_data<int64_t>()[2 * i + 1] = static_cast<int64_t>(high);
  }
  c.Output(0, std::move(results));
}

// ---- Fingerprints --------------------------------------------------------------------------------------------------

std::string BytesOf(uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> 8 * i & 0xff);
  return bytes;
}

// What is hashed of the elements [begin, end): their bytes, or the fingerprints of strings, unless there is but one.
std::string RowOf(const Tensor& data, int64_t begin, int64_t end) {
  if (data.dtype() != DType::kString) {
    const size_t size = ElementSize(data.dtype());
    return {static_cast<const char*>(data.raw()) + begin * size, (end - begin) * size};
  }
  const auto texts = data.data<std::string>();
  if (end - begin == 1) return texts[begin];
  std::string row;
  for (int64_t i = begin; i < end; ++i) row += BytesOf(FarmHash(texts[i]));
  return row;
}

void Fingerprint(OpContext& c) {
  const Tensor &data = c.tensor(0), &method = c.tensor(1);
  Require(method.rank() == 0, "method must be a scalar, not of shape ", method.shape().ToString());
  Require(method.scalar<std::string>() == "farmhash64", "method must be 'farmhash64', not '",
          method.scalar<std::string>(), "'");
  Require(data.rank() > 0, "data must have rows, and is a scalar");
  CheckResultSize({data.dim(0), 8});
  Tensor fingerprints(DType::kUint8, Shape{data.dim(0), 8});
  const int64_t size = data.dim(0) == 0 ? 0 : data.elements() / data.dim(0);
  for (int64_t i = 0; i < data.dim(0); ++i) {
    const std::string bytes = BytesOf(FarmHash(RowOf(data, i * size, (i + 1) * size)));
    for (int64_t k = 0; k < 8; ++k) {
      fingerprints.mutable_data<uint8_t>()[i * 8 + k] = static_cast<uint8_t>(bytes[static_cast<size_t>(k)]);
    }
  }
  c.Output(0, std::move(fingerprints));
}

void CheckFingerprint(const Node& node) {
  const DType type = Base(node.input_types.at(0));
  if (type != DType::kString && ElementSize(type) == 0) {
    throw NoKernel(Code::kInvalidArgument, "no fingerprint is taken of elements of type ", DTypeName(type));
  }
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

void CheckKey(const Node& node) {
  const auto& key = GetAttr<std::vector<int64_t>>(node.attrs, "key");
  Require(key.size() == 2, "the key is two numbers, not ", key.size());
}

constexpr KernelRow kRows[] = {
    {"StringToHashBucketFast", HashFast},
    {"StringToHashBucketStrong", HashStrong, CheckKey},
    {"StringToHashBucket", HashOld},
    {"SdcaFprint", WideFingerprints},
    {"Fingerprint", Fingerprint, CheckFingerprint},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringHash() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
