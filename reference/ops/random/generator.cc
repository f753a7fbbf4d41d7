// Generators whose state is a variable.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"
#include "reference/ops/lib/stored_generator.h"

namespace plumb::reference {
namespace {

template <class T>
T ScalarInput(const OpContext& c, int i, const char* name) {
  const Tensor& tensor = c.tensor(i);
  Require(tensor.rank() == 0, name, " must be a scalar, not of shape ", tensor.shape().ToString());
  return tensor.scalar<T>();
}

// R88.
void ReadAndSkip(OpContext& c) {
  const auto algorithm = ScalarInput<int32_t>(c, 1, "alg");
  const auto delta = ScalarInput<uint64_t>(c, 2, "delta");
  const Philox::State state = TakeBlocks(c, algorithm, delta * kBlocksPerOutput).state();
  const auto number = [&](size_t i) { return static_cast<int64_t>(state[2 * i] | uint64_t{state[2 * i + 1]} << 32); };
  c.Output(0, MakeVector<int64_t>({number(0), number(1), number(2)}));
}

void Skip(OpContext& c) {
  const auto algorithm = ScalarInput<int64_t>(c, 1, "algorithm");
  const auto delta = ScalarInput<int64_t>(c, 2, "delta");
  TakeBlocks(c, algorithm, static_cast<uint64_t>(delta) * kBlocksPerOutput);
}

constexpr KernelRow kRows[] = {
    {"RngReadAndSkip", ReadAndSkip},
    {"RngSkip", Skip},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomGenerator() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
