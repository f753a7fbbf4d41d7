#include "reference/ops/lib/random_stream.h"

#include <cmath>
#include <memory>
#include <random>

#include "reference/numbers/index.h"

namespace plumb::reference {
namespace {

// The stream of one random node, which goes on from execution to execution (rules R71, S6).
struct Stream : KernelState {
  explicit Stream(Philox start) : next(start) {}
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Stream>(*this); }
  void Save(const StateWriter& writer) const override {
    const Philox::State state = next.state();
    writer.Put("philox", MakeTensor<uint32_t>({std::ssize(state)}, std::span<const uint32_t>(state)));
  }
  void Restore(const StateReader& reader) override {
    const Tensor& saved = reader.Get("philox");
    Philox::State state;
    if (saved.dtype() != DType::kUint32 || saved.elements() != std::ssize(state)) {
      throw DataLoss("the saved state of a random stream is ", saved.ToString());
    }
    std::copy_n(saved.data<uint32_t>().begin(), state.size(), state.begin());
    next.set_state(state);
  }
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
  Philox& next = StateOf<Stream>(c, [&] { return std::make_unique<Stream>(Seeded(c)); }).next;
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
