#include <bit>
#include <utility>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"

namespace plumb::reference {
namespace {

// Little-endian number of `count` bytes at `at`.
uint64_t NumberAt(const std::string& text, size_t at, int count = 8) {
  uint64_t number = 0;
  for (int i = count - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(text[at + i]);
  return number;
}
uint64_t RotatedRight(uint64_t x, int bits) { return std::rotr(x, bits); }

// ---- FarmHash's Fingerprint64 --------------------------------------------------------------------------------------

constexpr uint64_t kFarm0 = 0xc3a5c85c97cb3127, kFarm1 = 0xb492b66fbe98f273, kFarm2 = 0x9ae16a3b2f90404f;

uint64_t Mixed(uint64_t x) { return x ^ x >> 47; }
uint64_t Together(uint64_t u, uint64_t v, uint64_t factor) {
  const uint64_t a = Mixed((u ^ v) * factor);
  return Mixed((v ^ a) * factor) * factor;
}

uint64_t FarmUpTo16(const std::string& s) {
  const size_t n = s.size();
  const uint64_t factor = kFarm2 + 2 * n;
  if (n >= 8) {
    const uint64_t a = NumberAt(s, 0) + kFarm2, b = NumberAt(s, n - 8);
    return Together(RotatedRight(b, 37) * factor + a, (RotatedRight(a, 25) + b) * factor, factor);
  }
  if (n >= 4) return Together(n + (NumberAt(s, 0, 4) << 3), NumberAt(s, n - 4, 4), factor);
  if (n == 0) return kFarm2;
  const uint64_t y = NumberAt(s, 0, 1) + (NumberAt(s, n / 2, 1) << 8), z = n + (NumberAt(s, n - 1, 1) << 2);
  return Mixed(y * kFarm2 ^ z * kFarm0) * kFarm2;
}

uint64_t FarmUpTo64(const std::string& s) {
  const size_t n = s.size();
  const uint64_t factor = kFarm2 + 2 * n;
  const uint64_t a = NumberAt(s, 0) * (n <= 32 ? kFarm1 : kFarm2), b = NumberAt(s, 8);
  const uint64_t c = NumberAt(s, n - 8) * factor, d = NumberAt(s, n - 16) * kFarm2;
  const uint64_t y = RotatedRight(a + b, 43) + RotatedRight(c, 30) + d;
  const uint64_t z = Together(y, a + RotatedRight(b + kFarm2, 18) + c, factor);
  if (n <= 32) return z;
  const uint64_t e = NumberAt(s, 16) * factor, f = NumberAt(s, 24);
  const uint64_t g = (y + NumberAt(s, n - 32)) * factor, h = (z + NumberAt(s, n - 24)) * factor;
  return Together(RotatedRight(e + f, 43) + RotatedRight(g, 30) + h, e + RotatedRight(f + a, 18) + g, factor);
}

using Pair = std::pair<uint64_t, uint64_t>;

Pair Weak(const std::string& s, size_t at, uint64_t a, uint64_t b) {
  const uint64_t last = NumberAt(s, at + 24);
  a += NumberAt(s, at);
  b = RotatedRight(b + a + last, 21);
  const uint64_t first = a;
  a += NumberAt(s, at + 8) + NumberAt(s, at + 16);
  return {a + last, b + RotatedRight(a, 44) + first};
}

// What is known of the blocks of 64 bytes so far.
struct FarmState {
  uint64_t x = 81 * kFarm2, y = 81 * kFarm1 + 113, z = Mixed((81 * kFarm1 + 113) * kFarm2 + 113) * kFarm2;
  Pair v, w;

  void Block(const std::string& s, size_t at, uint64_t factor, uint64_t weight) {
    x = RotatedRight(x + y + v.first + NumberAt(s, at + 8), 37) * factor;
    y = RotatedRight(y + v.second + NumberAt(s, at + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + NumberAt(s, at + 40);
    z = RotatedRight(z + w.first, 33) * factor;
    v = Weak(s, at, v.second * factor, x + w.first);
    w = Weak(s, at + 32, z + w.second, y + NumberAt(s, at + 16));
    std::swap(z, x);
  }
};

uint64_t FarmHash(const std::string& s) {
  if (s.size() <= 16) return FarmUpTo16(s);
  if (s.size() <= 64) return FarmUpTo64(s);
  FarmState state;
  state.x += NumberAt(s, 0);
  for (size_t at = 0; at + 64 < s.size(); at += 64) state.Block(s, at, kFarm1, 1);
  const uint64_t factor = kFarm1 + ((state.z & 0xff) << 1);
  state.w.first += (s.size() - 1) % 64;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.Block(s, s.size() - 64, factor, 9);
  return Together(Together(state.v.first, state.w.first, factor) + Mixed(state.y) * kFarm0 + state.z,
                  Together(state.v.second, state.w.second, factor) + state.x, factor);
}

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
    {"Fingerprint", Fingerprint, CheckFingerprint},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringHash() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
