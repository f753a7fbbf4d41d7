// Where random ops take their bits from, and uniform numbers made of them: bit for bit as the seeds say (rules
// R70–R78).
#pragma once

#include <memory>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/numbers/philox.h"

namespace plumb::reference {

// The stream of one random node, which goes on from execution to execution (rules R71, S6).
struct RandomStream : KernelState {
  explicit RandomStream(Philox start) : next(start) {}
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<RandomStream>(*this); }
  void Save(const StateWriter& writer) const override;
  void Restore(const StateReader& reader) override;
  Philox next;
};

// A generator that the node's seeds start; 0, 0 asks for any (rule R70).
Philox SeededGenerator(const OpContext& context);

// Takes `blocks` blocks out of the node's stream, which goes on from execution to execution, and gives a generator that
// starts with the first of them (rules R71, S6).
Philox ReserveBlocks(OpContext& context, uint64_t blocks);
inline constexpr uint64_t kBlocksPerOutput = 256;  // R71

// A generator for so many outputs: of the node's own stream; or where the inputs `key`, `counter` and `alg`, numbers 1
// to 3 of a stateless op, say. TensorFlow's CPU has Philox (1, and 3 for any) but no ThreeFry (2).
using GeneratorOf = Philox (*)(OpContext& context, uint64_t outputs);
Philox OwnGenerator(OpContext& context, uint64_t outputs);
Philox GivenGenerator(OpContext& context, uint64_t outputs);
// Of the two seeds that are input 1, scrambled.
Philox ScrambledGenerator(OpContext& context, uint64_t outputs);

// The two seeds of a stateless op, made into key (two words) and the upper half of the counter.
Philox::Block ScrambledSeed(const Tensor& seed);
// The generator with that key and that counter.
Philox KeyedGenerator(const Philox::Block& scrambled);

// The shape that an input asks for.
Shape RandomShape(const OpContext& context, int input = 0);

// How many outputs of a type one block of words gives.
int PerBlock(DType dtype);

// R80: evenly from [0, n), n > 0.
uint32_t UniformBelow(PhiloxWords& words, uint32_t n);
uint64_t UniformBelow64(PhiloxWords& words, uint64_t n);

// R72, R77: the number in [0, 1) whose mantissa is made of `bits` low bits of `word`.
double Fraction(uint64_t word, int bits);
float UniformFloat(uint32_t word);
double UniformDouble(uint32_t low, uint32_t high);

}  // namespace plumb::reference
