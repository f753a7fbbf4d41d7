// Where the generators of stateless ops begin.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

void KeyAndCounter(OpContext& c) {
  Require(c.tensor(0).rank() == 1 && c.tensor(0).elements() == 2, "seed must have the shape [2], not ",
          c.tensor(0).shape().ToString());
  const Philox::Block words = ScrambledSeed(c.tensor(0));
  c.Output(0, MakeVector<uint64_t>({words[0] | uint64_t{words[1]} << 32}));
  c.Output(1, MakeVector<uint64_t>({0, words[2] | uint64_t{words[3]} << 32}));
}

constexpr int32_t kPhilox = 1;

void Algorithm(OpContext& c) { c.Output(0, MakeScalar(kPhilox)); }

void KeyCounterAndAlgorithm(OpContext& c) {
  KeyAndCounter(c);
  c.Output(2, MakeScalar(kPhilox));
}

constexpr KernelRow kRows[] = {
    {"StatelessRandomGetAlg", Algorithm},
    {"StatelessRandomGetKeyCounterAlg", KeyCounterAndAlgorithm},
    {"StatelessRandomGetKeyCounter", KeyAndCounter},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomStateless() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
