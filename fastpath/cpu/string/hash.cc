#include <bit>
#include <cstring>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/fingerprint.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/wide_fingerprint.h"
#include "fastpath/cpu/string/map_strings.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// SipHash-2-4.
class SipHash {
 public:
  SipHash(uint64_t low, uint64_t high)
      : v_{low ^ 0x736f6d6570736575, high ^ 0x646f72616e646f6d, low ^ 0x6c7967656e657261, high ^ 0x7465646279746573} {}

  // Of a copy, so that a key is spread once.
  uint64_t Of(std::string_view text) const {
    SipHash hash = *this;
    const char* s = text.data();
    size_t left = text.size();
    for (; left >= 8; left -= 8, s += 8) hash.Absorb(Load64(s));
    hash.Absorb(LoadTail(s, left) | static_cast<uint64_t>(text.size()) << 56);
    hash.v_[2] ^= 0xff;
    for (int i = 0; i < 4; ++i) hash.Round();
    return hash.v_[0] ^ hash.v_[1] ^ hash.v_[2] ^ hash.v_[3];
  }

 private:
  void Absorb(uint64_t word) {
    v_[3] ^= word;
    Round();
    Round();
    v_[0] ^= word;
  }
  void Round() {
    v_[0] += v_[1];
    v_[2] += v_[3];
    v_[1] = std::rotl(v_[1], 13) ^ v_[0];
    v_[3] = std::rotl(v_[3], 16) ^ v_[2];
    v_[0] = std::rotl(v_[0], 32) + v_[3];
    v_[2] += v_[1];
    v_[1] = std::rotl(v_[1], 17) ^ v_[2];
    v_[3] = std::rotl(v_[3], 21) ^ v_[0];
    v_[2] = std::rotl(v_[2], 32);
  }

  uint64_t v_[4];
};

// MurmurHash64A.
uint64_t MurmurHash(std::string_view text) {
  constexpr uint64_t kSeed = 0xdecafcaffe, kMul = 0xc6a4a7935bd1e995;
  const auto mix = [](uint64_t x) { return (x ^ x >> 47) * kMul; };
  const char* s = text.data();
  size_t left = text.size();
  uint64_t hash = kSeed ^ left * kMul;
  for (; left >= 8; left -= 8, s += 8) hash = (hash ^ mix(Load64(s) * kMul)) * kMul;
  if (left > 0) hash = (hash ^ LoadTail(s, left)) * kMul;
  hash = mix(hash);
  return hash ^ hash >> 47;
}

class HashKernel : public Kernel {
 public:
  HashKernel(const Node& node, uint64_t (*hash)(std::string_view))
      : hash_(hash), buckets_(static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "num_buckets"))) {}

  void Run(KernelContext& context) override {
    MapStrings<int64_t>(context, [this](const std::string& text, int64_t& bucket) {
      bucket = static_cast<int64_t>(hash_(text) % buckets_);
    });
  }

 private:
  uint64_t (*const hash_)(std::string_view);
  const uint64_t buckets_;
};

class StrongHashKernel : public Kernel {
 public:
  explicit StrongHashKernel(const Node& node)
      : hash_(KeyOf(node)), buckets_(static_cast<uint64_t>(GetAttr<int64_t>(node.attrs, "num_buckets"))) {}

  void Run(KernelContext& context) override {
    MapStrings<int64_t>(context, [this](const std::string& text, int64_t& bucket) {
      bucket = static_cast<int64_t>(hash_.Of(text) % buckets_);
    });
  }

 private:
  static SipHash KeyOf(const Node& node) {
    const auto& key = GetAttr<std::vector<int64_t>>(node.attrs, "key");
    Require(key.size() == 2, "a key has two numbers, not ", key.size());
    return SipHash(static_cast<uint64_t>(key[0]), static_cast<uint64_t>(key[1]));
  }

  const SipHash hash_;
  const uint64_t buckets_;
};

class FingerprintKernel : public Kernel {
 public:
  explicit FingerprintKernel(const Node& node) {
    const DType type = InputType(node, 0);
    element_ = static_cast<int64_t>(ElementSize(type));
    if (element_ == 0 && type != DType::kString) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const Tensor &data = context.input(0), &method = context.input(1);
    Require(method.rank() == 0 && method.scalar<std::string>() == "farmhash64",
            "the method of fingerprints is the scalar 'farmhash64'");
    Require(data.rank() > 0, "fingerprints are taken of rows, and data is a scalar");
    const int64_t rows = data.dim(0), count = rows == 0 ? 0 : data.elements() / rows;
    uint8_t* prints = context.AllocateOutput(0, DType::kUint8, Shape({rows, kSize})).mutable_data<uint8_t>().data();
    context.pool().ParallelFor(rows, GrainFor(count * std::max<int64_t>(element_, 64)),
                               [&](int64_t begin, int64_t end) {
                                 std::string strings;
                                 for (int64_t i = begin; i < end; ++i) {
                                   const uint64_t print = FarmHash::Of(Row(data, i * count, count, strings));
                                   std::memcpy(prints + i * kSize, &print, kSize);
                                 }
                               });
  }

 private:
  static constexpr int64_t kSize = sizeof(uint64_t);

  // The bytes that stand for `count` elements; `strings` holds the fingerprints of several strings.
  std::string_view Row(const Tensor& data, int64_t first, int64_t count, std::string& strings) const {
    if (element_ > 0) {
      return {static_cast<const char*>(data.raw()) + first * element_, static_cast<size_t>(count * element_)};
    }
    const std::string* texts = data.data<std::string>().data() + first;
    if (count == 1) return texts[0];
    strings.resize(static_cast<size_t>(count * kSize));
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t print = FarmHash::Of(texts[i]);
      std::memcpy(strings.data() + i * kSize, &print, kSize);
    }
    return strings;
  }

  int64_t element_ = 0;  // bytes; 0: strings
};

class WideFingerprintsKernel final : public Kernel {
 public:
  explicit WideFingerprintsKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    Require(input.rank() == 1, "input must be a vector, not of shape ", Printed(input.shape()));
    const int64_t count = input.dim(0);
    const std::string* const texts = input.data<std::string>().data();
    int64_t* const to = context.AllocateOutput(0, DType::kInt64, Shape({count, 2})).mutable_data<int64_t>().data();
    context.pool().ParallelFor(count, GrainFor(128), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const WidePrint print = WideFarmHash::Of(texts[i]);
        to[2 * i] = static_cast<int64_t>(print.low);
        to[2 * i + 1] = static_cast<int64_t>(print.high);
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"StringToHashBucketFast", MakeWith<HashKernel, FarmHash::Of>},
    {"StringToHashBucketStrong", Make<StrongHashKernel>},
    {"StringToHashBucket", MakeWith<HashKernel, MurmurHash>},
    {"SdcaFprint", Make<WideFingerprintsKernel>},
    {"Fingerprint", Make<FingerprintKernel>},
};

}  // namespace

std::span<const KernelRow> StringHash() { return kRows; }

}  // namespace plumb::fast::cpu
