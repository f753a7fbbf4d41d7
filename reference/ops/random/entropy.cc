// Numbers that no seed fixes.
#include <random>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

void NonDeterministicInts(OpContext& c) {
  const DType dtype = c.output_type(0);
  Array<Integer> output = MakeArray<Integer>(dtype, RandomShape(c));
  std::random_device entropy;
  for (Integer& number : output.at) number = Wrap(Integer(uint64_t{entropy()} << 32 | entropy()), dtype);
  c.Output(0, Store(output));
}

constexpr KernelRow kRows[] = {
    {"NonDeterministicInts", NonDeterministicInts},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomEntropy() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
