#include "fastpath/cpu/lib/state/random.h"

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

Shape ShapeIn(const Tensor& shape) {
  Require(shape.rank() == 1, "the shape must be a vector, not of shape ", Printed(shape.shape()));
  Require(shape.dtype() == DType::kInt32 || shape.dtype() == DType::kInt64, "the shape must be int32 or int64, not ",
          DTypeName(shape.dtype()));
  return Shape(ToInt64s(shape));
}

Philox ScrambledSeed(const Tensor& seed) {
  Require(seed.rank() == 1 && seed.elements() == 2, "seed must have the shape [2], not ", Printed(seed.shape()));
  constexpr uint64_t kKey = uint64_t{0x02461e29} << 32 | 0x3ec8f720;
  return PhiloxAt(kKey, static_cast<uint64_t>(IntAt(seed, 0)), static_cast<uint64_t>(IntAt(seed, 1)));
}

Philox StartOfSeeds(KernelContext& context, int64_t) {
  const DType type = context.input(1).dtype();
  Require(type == DType::kInt32 || type == DType::kInt64, "seed must be int32 or int64, not ", DTypeName(type));
  const Philox::Block words = ScrambledSeed(context.input(1)).Next();
  return PhiloxAt(words[0] | static_cast<uint64_t>(words[1]) << 32, 0,
                  words[2] | static_cast<uint64_t>(words[3]) << 32);
}

Philox StartOfKey(KernelContext& context, int64_t outputs) {
  constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
  const Tensor &key = context.input(1), &counter = context.input(2), &alg = context.input(3);
  Require(alg.rank() == 0, "alg must be a scalar, not of shape ", Printed(alg.shape()));
  const int64_t algorithm = IntAt(alg, 0);
  Require(algorithm >= kPhilox && algorithm <= kAny, "alg names no generator: ", algorithm);
  Require(key.rank() == 1 && key.elements() == 1, "key must have the shape [1], not ", Printed(key.shape()));
  Require(counter.rank() == 1 && counter.elements() >= 2,
          "counter must be a vector of two numbers at least, not of shape ", Printed(counter.shape()));
  Require(outputs == 0 || algorithm != kThreeFry, "the CPU has no generator ", algorithm, "; 1 is Philox, 3 any");
  if (algorithm == kThreeFry) return {};
  return PhiloxAt(key.data<uint64_t>()[0], counter.data<uint64_t>()[0], counter.data<uint64_t>()[1]);
}

}  // namespace plumb::fast::cpu
