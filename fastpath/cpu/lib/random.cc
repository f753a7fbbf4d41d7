#include "fastpath/cpu/lib/random.h"

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
  std::lock_guard lock(mutex_);
  Philox reserved = generator_;
  generator_.Skip(blocks);
  return reserved;
}

Shape ShapeIn(const std::string& node, const Tensor& shape) {
  Require(shape.rank() == 1, "node ", node, ": the shape must be a vector, not of shape ", Printed(shape.shape()));
  return Shape(ToInt64s(shape));
}

}  // namespace plumb::fast::cpu
