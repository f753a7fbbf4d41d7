// Generators whose state is a variable.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/numbers/philox.h"

namespace plumb::reference {
namespace {

constexpr int32_t kPhilox = 1, kThreeFry = 2, kAny = 3;
constexpr uint64_t kBlocksOfAValue = 256;

template <class T>
T ScalarInput(const OpContext& c, int i, const char* name) {
  const Tensor& tensor = c.tensor(i);
  Require(tensor.rank() == 0, name, " must be a scalar, not of shape ", tensor.shape().ToString());
  return tensor.scalar<T>();
}

Tensor StateIn(const HandleVariable& variable, const OpContext& c) {
  Require(variable.dtype() == DType::kInt64, "the state of a generator has the type int64, not ",
          DTypeName(variable.dtype()));
  Tensor state = variable.Read(c.node.name).tensor;
  Require(state.rank() == 1, "the state of a generator is a vector, not of shape ", state.shape().ToString());
  return state;
}

uint32_t LowWord(int64_t number) { return static_cast<uint32_t>(number); }
uint32_t HighWord(int64_t number) { return static_cast<uint32_t>(static_cast<uint64_t>(number) >> 32); }

// R88.
void ReadAndSkip(OpContext& c) {
  const auto algorithm = ScalarInput<int32_t>(c, 1, "alg");
  const auto delta = ScalarInput<uint64_t>(c, 2, "delta");
  HandleVariable& variable = GetVariable(c, 0);
  const Tensor state = StateIn(variable, c);
  if (algorithm == kThreeFry) throw Unimplemented("ThreeFry, alg 2, is a generator that CPUs have not");
  Require(algorithm == kPhilox || algorithm == kAny, "alg names no generator: ", algorithm);
  Require(state.elements() >= 3, "Philox keeps three numbers, and the variable has ", state.elements());
  const auto words = state.data<int64_t>();
  c.Output(0, MakeVector<int64_t>({words[0], words[1], words[2]}));
  Philox generator(0, 0);
  generator.set_state({LowWord(words[0]), HighWord(words[0]), LowWord(words[1]), HighWord(words[1]), LowWord(words[2]),
                       HighWord(words[2])});
  generator.Skip(delta * kBlocksOfAValue);
  const Philox::State after = generator.state();
  Tensor next(DType::kInt64, state.shape());
  const auto to = next.mutable_data<int64_t>();
  std::copy(words.begin(), words.end(), to.begin());
  for (size_t i = 0; i < 2; ++i) to[i] = static_cast<int64_t>(after[2 * i] | uint64_t{after[2 * i + 1]} << 32);
  variable.Update(Value(std::move(next)));
}

constexpr KernelRow kRows[] = {{"RngReadAndSkip", ReadAndSkip}};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomGenerator() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
