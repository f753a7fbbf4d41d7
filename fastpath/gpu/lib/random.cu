#include "fastpath/gpu/lib/random.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
enum Wrong : int64_t { kNoGenerator = 1, kOtherGenerator = 2, kShortCounter = 3 };

PLUMB_GPU_KERNEL CheckAlgorithm(Global<const int32_t> alg, int64_t words, bool draws, Global<int64_t> slot) {
  const int64_t algorithm = alg[0];
  int64_t wrong = 0;
  if (algorithm < kPhilox || algorithm > kAny) {
    wrong = kNoGenerator;
  } else if (words < (algorithm == kThreeFry ? 1 : 2)) {
    wrong = kShortCounter;
  } else if (algorithm == kThreeFry && draws) {
    wrong = kOtherGenerator;
  }
  if (wrong != 0) AtomicCas(slot[0], int64_t{0}, wrong);
}

Status Refused(int64_t wrong) {
  switch (wrong) {
    case kNoGenerator:
      return InvalidArgument("alg names no generator").status();
    case kShortCounter:
      return InvalidArgument("counter must be a vector of two numbers at least").status();
    default:
      return InvalidArgument("a GPU has no generator 2; 1 is Philox, 3 any").status();
  }
}

}  // namespace

RandomStart StatelessStream::StartFor(GpuContext& context, int64_t outputs) {
  const Tensor &key = context.input(1), &counter = context.input(2), &alg = context.input(3);
  Require(alg.rank() == 0, "alg must be a scalar, not of shape ", alg.shape().ToString());
  Require(key.rank() == 1 && key.elements() == 1, "key must have the shape [1], not ", key.shape().ToString());
  Require(counter.rank() == 1 && counter.elements() >= 1, "counter must be a vector of numbers, not of shape ",
          counter.shape().ToString());
  const Global<int64_t> slot = context.NewSlot(Refused);
  Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, CheckAlgorithm, context.ViewOf<int32_t>(alg),
         counter.elements(), outputs > 0, slot);
  return {Philox(), context.ViewOf<uint64_t>(key), context.ViewOf<uint64_t>(counter)};
}

}  // namespace plumb::fast::GPU_NAMESPACE
