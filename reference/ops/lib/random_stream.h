// Where random ops take their bits from, and uniform numbers made of them: bit for bit as the seeds say (rules
// R70–R78).
#pragma once

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/numbers/philox.h"

namespace plumb::reference {

// Takes `blocks` blocks out of the node's stream, which goes on from execution to execution, and gives a generator that
// starts with the first of them (rules R71, S6).
Philox ReserveBlocks(OpContext& context, uint64_t blocks);
inline constexpr uint64_t kBlocksPerOutput = 256;  // R71

// The shape that input 0 asks for.
Shape RandomShape(const OpContext& context);

// How many outputs of a type one block of words gives.
int PerBlock(DType dtype);

// R72, R77: the number in [0, 1) whose mantissa is made of `bits` low bits of `word`.
double Fraction(uint64_t word, int bits);
float UniformFloat(uint32_t word);
double UniformDouble(uint32_t low, uint32_t high);

}  // namespace plumb::reference
