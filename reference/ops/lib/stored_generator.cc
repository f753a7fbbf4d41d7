#include "reference/ops/lib/stored_generator.h"

#include <algorithm>

#include "reference/kernel/variables.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;

Tensor StateIn(const HandleVariable& variable, const OpContext& c) {
  Require(variable.dtype() == DType::kInt64, "the state of a generator has the type int64, not ",
          DTypeName(variable.dtype()));
  Tensor state = variable.Read(c.node.name).tensor;
  Require(state.rank() == 1, "the state of a generator is a vector, not of shape ", state.shape().ToString());
  return state;
}

uint32_t LowWord(int64_t number) { return static_cast<uint32_t>(number); }
uint32_t HighWord(int64_t number) { return static_cast<uint32_t>(static_cast<uint64_t>(number) >> 32); }

}  // namespace

Philox TakeBlocks(OpContext& c, int64_t algorithm, uint64_t blocks, size_t tags) {
  HandleVariable& variable = GetVariable(c, 0);
  const Tensor state = StateIn(variable, c);
  if (algorithm == kThreeFry) throw Unimplemented("ThreeFry, algorithm 2, is a generator that CPUs have not");
  Require(algorithm == kPhilox || algorithm == kAny, "the algorithm names no generator: ", algorithm);
  Require(state.elements() >= static_cast<int64_t>(tags) + 3, "Philox keeps three numbers",
          tags > 0 ? " and a tag" : "", ", and the variable has ", state.elements());
  const auto words = state.data<int64_t>().subspan(tags);
  Philox generator(0, 0);
  generator.set_state({LowWord(words[0]), HighWord(words[0]), LowWord(words[1]), HighWord(words[1]), LowWord(words[2]),
                       HighWord(words[2])});
  const Philox before = generator;
  generator.Skip(blocks);
  const Philox::State after = generator.state();
  Tensor next(DType::kInt64, state.shape());
  const auto to = next.mutable_data<int64_t>();
  std::copy_n(state.data<int64_t>().begin(), to.size(), to.begin());
  for (size_t i = 0; i < 2; ++i) {
    to[tags + i] = static_cast<int64_t>(after[2 * i] | uint64_t{after[2 * i + 1]} << 32);
  }
  variable.Update(Value(std::move(next)));
  return before;
}

Philox StoredGenerator(OpContext& c, uint64_t outputs) {
  return TakeBlocks(c, ScalarOf(c.tensor(1), "algorithm"), kBlocksPerOutput * outputs);
}

Philox TaggedGenerator(OpContext& c, uint64_t outputs) {
  const Tensor state = StateIn(GetVariable(c, 0), c);
  Require(state.elements() > 0, "a generator that names its algorithm keeps four numbers, and the variable has none");
  return TakeBlocks(c, state.data<int64_t>()[0], kBlocksPerOutput * outputs, 1);
}

}  // namespace plumb::reference
