#include "reference/ops/lib/random_stream.h"

#include <cmath>
#include <memory>
#include <random>

#include "reference/numbers/index.h"

namespace plumb::reference {

void RandomStream::Save(const StateWriter& writer) const {
  const Philox::State state = next.state();
  writer.Put("philox", MakeTensor<uint32_t>({std::ssize(state)}, std::span<const uint32_t>(state)));
}

void RandomStream::Restore(const StateReader& reader) {
  const Tensor& saved = reader.Get("philox");
  Philox::State state;
  if (saved.dtype() != DType::kUint32 || saved.elements() != std::ssize(state)) {
    throw DataLoss("the saved state of a random stream is ", saved.ToString());
  }
  std::copy_n(saved.data<uint32_t>().begin(), state.size(), state.begin());
  next.set_state(state);
}

Philox SeededGenerator(const OpContext& c) {
  const uint64_t seed = static_cast<uint64_t>(c.attr<int64_t>("seed"));
  const uint64_t seed2 = static_cast<uint64_t>(c.attr<int64_t>("seed2"));
  if (seed != 0 || seed2 != 0) return Philox(seed, seed2);
  std::random_device entropy;
  return Philox(uint64_t{entropy()} << 32 | entropy(), uint64_t{entropy()} << 32 | entropy());
}

Philox ReserveBlocks(OpContext& c, uint64_t blocks) {
  Philox& next = StateOf<RandomStream>(c, [&] { return std::make_unique<RandomStream>(SeededGenerator(c)); }).next;
  const Philox reserved = next;
  next.Skip(blocks);
  return reserved;
}

Philox OwnGenerator(OpContext& c, uint64_t outputs) { return ReserveBlocks(c, kBlocksPerOutput * outputs); }

Philox GivenGenerator(OpContext& c, uint64_t outputs) {
  constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
  const int64_t algorithm = ScalarOf(c.tensor(3), "alg");
  Require(algorithm >= kPhilox && algorithm <= kAny, "alg names no generator: ", algorithm);
  Require(c.tensor(1).rank() == 1 && c.tensor(1).elements() == 1, "key must have the shape [1], not ",
          c.tensor(1).shape().ToString());
  Require(c.tensor(2).rank() == 1 && c.tensor(2).elements() >= 2,
          "counter must be a vector of two numbers at least, not of shape ", c.tensor(2).shape().ToString());
  Require(outputs == 0 || algorithm != kThreeFry, "alg names a generator that is not there: ", algorithm);
  Philox generator(0, 0);
  if (algorithm == kThreeFry) return generator;
  const uint64_t key = c.tensor(1).data<uint64_t>()[0];
  const auto counter = c.tensor(2).data<uint64_t>();
  const auto low = [](uint64_t number) { return static_cast<uint32_t>(number); };
  generator.set_state(
      {low(counter[0]), low(counter[0] >> 32), low(counter[1]), low(counter[1] >> 32), low(key), low(key >> 32)});
  return generator;
}

Philox::Block ScrambledSeed(const Tensor& seed) {
  const std::vector<int64_t> seeds = IntegersOf(seed, "seed");
  const auto low = [](int64_t number) { return static_cast<uint32_t>(number); };
  Philox mixer(0, 0);
  mixer.set_state({low(seeds[0]), low(seeds[0] >> 32), low(seeds[1]), low(seeds[1] >> 32), 0x3ec8f720, 0x02461e29});
  return mixer.Next();
}

Philox KeyedGenerator(const Philox::Block& scrambled) {
  Philox generator(0, 0);
  generator.set_state({0, 0, scrambled[2], scrambled[3], scrambled[0], scrambled[1]});
  return generator;
}

Philox ScrambledGenerator(OpContext& c, uint64_t) {
  const Tensor& seed = c.tensor(1);
  Require(seed.rank() == 1 && seed.elements() == 2, "seed must have the shape [2], not ", seed.shape().ToString());
  Require(seed.dtype() == DType::kInt32 || seed.dtype() == DType::kInt64, "seed must be int32 or int64, not ",
          DTypeName(seed.dtype()));
  return KeyedGenerator(ScrambledSeed(seed));
}

Shape RandomShape(const OpContext& c, int input) {
  const Tensor& dims = c.tensor(input);
  Require(dims.rank() == 1, "the shape of a random tensor is a vector, not of shape ", dims.shape().ToString());
  Require(dims.dtype() == DType::kInt32 || dims.dtype() == DType::kInt64, "a shape is int32 or int64, not ",
          DTypeName(dims.dtype()));
  Shape shape = ShapeOf(dims, "shape");
  CheckResultSize(shape);
  return shape;
}

int PerBlock(DType dtype) {
  return dtype == DType::kDouble || dtype == DType::kInt64 || dtype == DType::kUint64 ? 2 : 4;
}

namespace {

// Numbers below the remainder of the whole range are left out, so that all of [0, n) come up alike.
template <class T, class Next>
T Below(T n, const Next& next) {
  if ((n & (n - 1)) == 0) return next() & (n - 1);
  const T least = static_cast<T>(~T{0}) % n + 1;
  T number = next();
  while (number < least) number = next();
  return number % n;
}

}  // namespace

uint32_t UniformBelow(PhiloxWords& words, uint32_t n) {
  return Below(n, [&] { return words.Next(); });
}
uint64_t UniformBelow64(PhiloxWords& words, uint64_t n) {
  return Below(n, [&] {
    const uint64_t low = words.Next(), high = words.Next();
    return low | high << 32;
  });
}

double Fraction(uint64_t word, int bits) {
  return static_cast<double>(word & ((uint64_t{1} << bits) - 1)) * std::ldexp(1.0, -bits);
}
float UniformFloat(uint32_t word) { return static_cast<float>(Fraction(word, 23)); }
double UniformDouble(uint32_t low, uint32_t high) { return Fraction(uint64_t{low & 0xfffff} << 32 | high, 52); }

}  // namespace plumb::reference
