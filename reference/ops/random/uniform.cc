#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"
#include "reference/ops/lib/stored_generator.h"

namespace plumb::reference {
namespace {

double UniformOf(DType dtype, const Philox::Block& block, int i) {
  switch (dtype) {
    case DType::kHalf:
      return Fraction(block[i], 10);
    case DType::kBfloat16:
      return Fraction(block[i], 7);
    case DType::kDouble:
      return UniformDouble(block[2 * i], block[2 * i + 1]);
    default:
      return UniformFloat(block[i]);
  }
}

template <GeneratorOf kGenerator, int kShape = 0>
void Uniform(OpContext& c) {
  Array<Real> output = MakeArray<Real>(c.output_type(0), RandomShape(c, kShape));
  Philox generator = kGenerator(c, output.at.size());
  const int per_block = PerBlock(output.dtype);
  Philox::Block block = {};
  for (size_t i = 0; i < output.at.size(); ++i) {
    const int in_block = static_cast<int>(i % static_cast<size_t>(per_block));
    if (in_block == 0) block = generator.Next();
    output.at[i] = UniformOf(output.dtype, block, in_block);
  }
  c.Output(0, Store(output));
}

// What is asked of limits where there is nothing to draw: that they be scalars; nothing; or all that is asked
// elsewhere.
enum class Idle { kScalars, kNothing, kAll };

// Input kShape is the shape, inputs number kFirst and the next are the limits.
template <GeneratorOf kGenerator, int kShape, int kFirst, Idle kIdle>
void UniformInt(OpContext& c) {
  const DType dtype = c.output_type(0);
  Array<Integer> output = MakeArray<Integer>(dtype, RandomShape(c, kShape));
  if (kIdle == Idle::kNothing && output.at.empty()) {
    kGenerator(c, 0);  // refuses seeds that are none
    return c.Output(0, Store(output));
  }
  Require(c.tensor(kFirst).rank() == 0 && c.tensor(kFirst + 1).rank() == 0, "minval and maxval must be scalars");
  const int64_t low = IntegerOf(c.tensor(kFirst), "minval"), high = IntegerOf(c.tensor(kFirst + 1), "maxval");
  Require((kIdle != Idle::kAll && output.at.empty()) || low < high, "minval must be below maxval, but they are ", low,
          " and ", high);
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  Philox generator = kGenerator(c, output.at.size());
  const size_t per_block = static_cast<size_t>(PerBlock(dtype));
  Philox::Block block = {};
  for (size_t i = 0; i < output.at.size(); ++i) {
    const size_t in_block = i % per_block;
    if (in_block == 0) block = generator.Next();
    const uint64_t word =
        per_block == 4 ? block[in_block] : block[2 * in_block] | uint64_t{block[2 * in_block + 1]} << 32;
    output.at[i] = Integer(low) + Integer(word % range);
  }
  c.Output(0, Store(output));
}

// Whole words, as numbers of the type.
template <GeneratorOf kGenerator, int kShape = 0>
void UniformFullInt(OpContext& c) {
  const DType dtype = c.output_type(0);
  Array<Integer> output = MakeArray<Integer>(dtype, RandomShape(c, kShape));
  Philox generator = kGenerator(c, output.at.size());
  const size_t per_block = static_cast<size_t>(PerBlock(dtype));
  Philox::Block block = {};
  for (size_t i = 0; i < output.at.size(); ++i) {
    const size_t k = i % per_block;
    if (k == 0) block = generator.Next();
    output.at[i] = Wrap(Integer(per_block == 4 ? block[k] : block[2 * k] | uint64_t{block[2 * k + 1]} << 32), dtype);
  }
  c.Output(0, Store(output));
}

constexpr KernelRow kRows[] = {
    {"RandomUniform", Uniform<OwnGenerator>},
    {"RandomUniformInt", UniformInt<OwnGenerator, 0, 1, Idle::kScalars>},
    {"StatefulUniform", Uniform<StoredGenerator, 2>},
    {"StatefulUniformFullInt", UniformFullInt<StoredGenerator, 2>},
    {"StatefulUniformInt", UniformInt<StoredGenerator, 2, 3, Idle::kAll>},
    {"StatelessRandomUniform", Uniform<ScrambledGenerator>},
    {"StatelessRandomUniformFullInt", UniformFullInt<ScrambledGenerator>},
    {"StatelessRandomUniformFullIntV2", UniformFullInt<GivenGenerator>},
    {"StatelessRandomUniformInt", UniformInt<ScrambledGenerator, 0, 2, Idle::kNothing>},
    {"StatelessRandomUniformIntV2", UniformInt<GivenGenerator, 0, 4, Idle::kNothing>},
    {"StatelessRandomUniformV2", Uniform<GivenGenerator>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomUniform() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
