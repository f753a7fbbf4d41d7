#include <utility>

#include "fastpath/gpu/lib/random.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
enum Wrong : int64_t { kNoGenerator = 1, kOtherGenerator = 2 };

PLUMB_GPU_KERNEL CheckAlgorithm(Global<const int32_t> alg, bool draws, Global<int64_t> slot) {
  const int64_t algorithm = alg[0];
  int64_t wrong = 0;
  if (algorithm < kPhilox || algorithm > kAny) {
    wrong = kNoGenerator;
  } else if (algorithm == kThreeFry && draws) {
    wrong = kOtherGenerator;
  }
  if (wrong != 0) AtomicCas(slot[0], int64_t{0}, wrong);
}

Status Refused(int64_t wrong) {
  switch (wrong) {
    case kNoGenerator:
      return InvalidArgument("alg names no generator").status();
    default:
      return InvalidArgument("a GPU has no generator 2; 1 is Philox, 3 any").status();
  }
}

// One generator, begun at the seeds, says where another begins.
template <class T>
PLUMB_GPU_KERNEL ScrambleSeeds(Global<const T> seeds, Global<uint64_t> key, Global<uint64_t> counter) {
  constexpr uint64_t kKey = uint64_t{0x02461e29} << 32 | 0x3ec8f720;
  const T low = seeds[0], high = seeds[1];
  Philox generator = PhiloxAt(kKey, static_cast<uint64_t>(static_cast<int64_t>(low)),
                              static_cast<uint64_t>(static_cast<int64_t>(high)));
  const Philox::Block words = generator.Next();
  key[0] = words[0] | static_cast<uint64_t>(words[1]) << 32;
  counter[0] = 0;
  counter[1] = words[2] | static_cast<uint64_t>(words[3]) << 32;
}

}  // namespace

void QueueScrambling(GpuContext& context, const Tensor& seeds, Global<uint64_t> key, Global<uint64_t> counter) {
  Require(seeds.rank() == 1 && seeds.elements() == 2, "seed must have the shape [2], not ", seeds.shape().ToString());
  ForType(context.node(), seeds.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, ScrambleSeeds<T>, context.ViewOf<T>(seeds), key,
           counter);
    return true;
  });
}

HeldStart StartOfSeeds(GpuContext& context, const Tensor& seeds) {
  Tensor start = context.Scratch(DType::kUint64, Shape({3}));
  const Global<uint64_t> words = context.ViewOf<uint64_t>(start);
  const Global<uint64_t> key(words.data, 1), counter(words.data + 1, 2);
  QueueScrambling(context, seeds, key, counter);
  return {{Philox(), Global<const uint64_t>(words.data, 1), Global<const uint64_t>(words.data + 1, 2)},
          std::move(start)};
}

HeldStart SeededStream::StartFor(GpuContext& context, int64_t) { return StartOfSeeds(context, context.input(1)); }

HeldStart StatelessStream::StartFor(GpuContext& context, int64_t outputs) {
  const Tensor &key = context.input(1), &counter = context.input(2), &alg = context.input(3);
  Require(alg.rank() == 0, "alg must be a scalar, not of shape ", alg.shape().ToString());
  Require(key.rank() == 1 && key.elements() == 1, "key must have the shape [1], not ", key.shape().ToString());
  Require(counter.rank() == 1 && counter.elements() >= 2,
          "counter must be a vector of two numbers at least, not of shape ", counter.shape().ToString());
  const Global<int64_t> slot = context.NewSlot(Refused);
  Launch(context.stream(), GridSize{.blocks = 1, .threads = 1}, CheckAlgorithm, context.ViewOf<int32_t>(alg),
         outputs > 0, slot);
  return {{Philox(), context.ViewOf<uint64_t>(key), context.ViewOf<uint64_t>(counter)}};
}

}  // namespace plumb::fast::GPU_NAMESPACE
