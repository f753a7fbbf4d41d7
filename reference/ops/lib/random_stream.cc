#include "reference/ops/lib/random_stream.h"

#include <cmath>
#include <memory>
#include <random>

#include "reference/index.h"

namespace plumb::reference {
namespace {

// The stream of one random node, which goes on from execution to execution (rules R71, S6).
struct Stream : KernelState {
  explicit Stream(Philox start) : next(start) {}
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Stream>(*this); }
  Philox next;
};

// Seeds of an op: 0, 0 asks for any (rule R70).
Philox Seeded(const OpContext& c) {
  const uint64_t seed = static_cast<uint64_t>(c.attr<int64_t>("seed"));
  const uint64_t seed2 = static_cast<uint64_t>(c.attr<int64_t>("seed2"));
  if (seed != 0 || seed2 != 0) return Philox(seed, seed2);
  std::random_device entropy;
  return Philox(uint64_t{entropy()} << 32 | entropy(), uint64_t{entropy()} << 32 | entropy());
}

}  // namespace

Philox ReserveBlocks(OpContext& c, uint64_t blocks) {
  if (c.state == nullptr) c.state = std::make_unique<Stream>(Seeded(c));
  Philox& next = static_cast<Stream&>(*c.state).next;
  const Philox reserved = next;
  next.Skip(blocks);
  return reserved;
}

Shape RandomShape(const OpContext& c) {
  Require(c.tensor(0).rank() == 1, "the shape of a random tensor is a vector, not of shape ",
          c.tensor(0).shape().ToString());
  Shape shape = ShapeOf(c.tensor(0), "shape");
  CheckResultSize(shape);
  return shape;
}

int PerBlock(DType dtype) { return dtype == DType::kDouble || dtype == DType::kInt64 ? 2 : 4; }

double Fraction(uint64_t word, int bits) {
  return static_cast<double>(word & ((uint64_t{1} << bits) - 1)) * std::ldexp(1.0, -bits);
}
float UniformFloat(uint32_t word) { return static_cast<float>(Fraction(word, 23)); }
double UniformDouble(uint32_t low, uint32_t high) { return Fraction(uint64_t{low & 0xfffff} << 32 | high, 52); }

}  // namespace plumb::reference
