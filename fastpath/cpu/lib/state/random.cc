#include "fastpath/cpu/lib/state/random.h"

#include <random>

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

RandomStream::RandomStream(int64_t seed, int64_t seed2) {
  if (seed == 0 && seed2 == 0) {
    std::random_device device;
    const auto word64 = [&] { return static_cast<uint64_t>(device()) << 32 | device(); };
    generator_ = Philox(word64(), word64());
  } else {
    generator_ = Philox(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed2));
  }
}

Philox RandomStream::Reserve(uint64_t blocks) {
  MutexLock lock(mutex_);
  Philox reserved = generator_;
  generator_.Skip(blocks);
  return reserved;
}

void RandomStream::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  Tensor state(DType::kUint32, {static_cast<int64_t>(Philox::State().size())});
  const Philox::State words = generator_.state();
  std::copy(words.begin(), words.end(), state.mutable_data<uint32_t>().begin());
  writer.Put("philox", std::move(state));
}

void RandomStream::Restore(const StateReader& reader) {
  const Tensor& saved = reader.Get("philox");
  Philox::State state;
  if (saved.dtype() != DType::kUint32 || saved.elements() != static_cast<int64_t>(state.size())) {
    throw DataLoss("the saved state of a random stream is ", saved.ToString());
  }
  const auto words = saved.data<uint32_t>();
  std::copy(words.begin(), words.end(), state.begin());
  MutexLock lock(mutex_);
  generator_.set_state(state);
}

Shape ShapeIn(const std::string& node, const Tensor& shape) {
  Require(shape.rank() == 1, "node ", node, ": the shape must be a vector, not of shape ", Printed(shape.shape()));
  return Shape(ToInt64s(shape));
}

Philox ScrambledSeed(const std::string& node, const Tensor& seed) {
  Require(seed.rank() == 1 && seed.elements() == 2, "node ", node, ": seed must have the shape [2], not ",
          Printed(seed.shape()));
  constexpr uint64_t kKey = uint64_t{0x02461e29} << 32 | 0x3ec8f720;
  return PhiloxAt(kKey, static_cast<uint64_t>(IntAt(seed, 0)), static_cast<uint64_t>(IntAt(seed, 1)));
}

Philox StatelessRandomKernel::StartFor(KernelContext& context, int64_t outputs) const {
  constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
  const Tensor &key = context.input(1), &counter = context.input(2), &alg = context.input(3);
  Require(alg.rank() == 0, "node ", node_, ": alg must be a scalar, not of shape ", Printed(alg.shape()));
  const int64_t algorithm = IntAt(alg, 0);
  Require(algorithm >= kPhilox && algorithm <= kAny, "node ", node_, ": alg names no generator: ", algorithm);
  Require(key.rank() == 1 && key.elements() == 1, "node ", node_, ": key must have the shape [1], not ",
          Printed(key.shape()));
  const int64_t words = algorithm == kThreeFry ? 1 : 2;
  Require(counter.rank() == 1 && counter.elements() >= words, "node ", node_, ": counter must be a vector of ", words,
          " numbers at least, not of shape ", Printed(counter.shape()));
  Require(outputs == 0 || algorithm != kThreeFry, "node ", node_, ": the CPU has no generator ", algorithm,
          "; 1 is Philox, 3 any");
  if (algorithm == kThreeFry) return {};
  return PhiloxAt(key.data<uint64_t>()[0], counter.data<uint64_t>()[0], counter.data<uint64_t>()[1]);
}

}  // namespace plumb::fast::cpu
