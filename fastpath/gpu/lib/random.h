// What the random kernels share: where they begin to draw, and numbers filled group by group.
#pragma once

#include <string>

#include "fastpath/device/random_stream.h"
#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {

// A generator that the host knows, or one whose key and counter lie in the device's memory.
struct RandomStart {
  Philox known;
  Global<const uint64_t> key, counter;

  PLUMB_GPU_INLINE Philox Generator() const {
    if (key.size == 0) return known;
    return counter.size < 2 ? Philox() : PhiloxAt(key[0], counter[0], counter[1]);
  }
};

// A start, and the memory that it lies in, if that is its own: to be kept until what begins there is queued, for freed
// memory is given to others at once.
struct HeldStart {
  RandomStart start;
  Tensor memory = {};
};

// Draws from a stream of its own.
class OwnStream {
 public:
  explicit OwnStream(const Node& node)
      : stream_(GetAttr<int64_t>(node.attrs, "seed"), GetAttr<int64_t>(node.attrs, "seed2")) {}
  HeldStart StartFor(GpuContext&, int64_t outputs) {
    return {StartForBlocks(static_cast<uint64_t>(outputs) * kBlocksPerOutput)};
  }
  RandomStart StartForBlocks(uint64_t blocks) { return {stream_.Reserve(blocks), {}, {}}; }
  void Save(const StateWriter& writer) const { stream_.Save(writer); }
  void Restore(const StateReader& reader) { stream_.Restore(reader); }

 private:
  RandomStream stream_;
};

// Draws where the inputs 1 to 3, `key`, `counter` and `alg`, say. Queues a look at `alg`.
class StatelessStream {
 public:
  explicit StatelessStream(const Node&) {}
  HeldStart StartFor(GpuContext& context, int64_t outputs);
  void Save(const StateWriter&) const {}
  void Restore(const StateReader&) {}
};

// Where to begin by the key and counter that two seeds are scrambled into, which is queued.
HeldStart StartOfSeeds(GpuContext& context, const Tensor& seeds);

// Draws where the two seeds of input 1 say.
class SeededStream {
 public:
  explicit SeededStream(const Node&) {}
  HeldStart StartFor(GpuContext& context, int64_t outputs);
  void Save(const StateWriter&) const {}
  void Restore(const StateReader&) {}
};
// Queues what scrambles two seeds into a key, one word, and a counter, two.
void QueueScrambling(GpuContext& context, const Tensor& seeds, Global<uint64_t> key, Global<uint64_t> counter);

// A random kernel, whose numbers come from `Stream`.
template <class Stream>
class RandomKernel : public GpuKernel {
 public:
  explicit RandomKernel(const Node& node) : stream_(node) {}
  void Save(const StateWriter& writer) const override { stream_.Save(writer); }
  void Restore(const StateReader& reader) override { stream_.Restore(reader); }

 protected:
  static Shape ShapeOfResult(const GpuContext& context) {
    const Tensor& shape = context.input(0);
    Require(shape.rank() == 1, "the shape must be a vector, not of shape ", shape.shape().ToString());
    return Shape(ToInt64s(shape));
  }

  Stream stream_;
};

// Those of the first `runs` groups are stored at once. Group i of a distribution's kPerGroup numbers begins i ·
// kBlocksPerGroup blocks after the start.
template <class Distribution, class T>
PLUMB_GPU_KERNEL DrawLoop(RandomStart start, Global<T> out, int64_t runs) {
  constexpr int kPerGroup = Distribution::kPerGroup;
  const Philox first = start.Generator();
  for (int64_t group = First(); group * kPerGroup < out.size; group += Stride()) {
    Philox generator = first;
    generator.Skip(static_cast<uint64_t>(group) * Distribution::kBlocksPerGroup);
    Pack<T, kPerGroup> numbers;
    Distribution::Fill(generator, numbers.at);
    if (group < runs) {
      StorePack(out, group * kPerGroup, numbers);
      continue;
    }
    for (int i = 0; i < kPerGroup; ++i) {
      if (group * kPerGroup + i < out.size) out[group * kPerGroup + i] = numbers.at[i];
    }
  }
}

// Fills its output with a distribution's numbers.
template <class Distribution, class T, class Stream>
class Draw final : public RandomKernel<Stream> {
 public:
  using RandomKernel<Stream>::RandomKernel;
  void Run(GpuContext& context) override {
    Tensor result = context.AllocateOutput(0, this->ShapeOfResult(context));
    const Global<T> out = context.ViewOf<T>(result);
    const HeldStart from = this->stream_.StartFor(context, out.size);
    constexpr int kPerGroup = Distribution::kPerGroup;
    const int64_t groups = (out.size + kPerGroup - 1) / kPerGroup, runs = WholeRuns<kPerGroup>(out.size, out);
    Launch(context.stream(), LoopOver(groups), DrawLoop<Distribution, T>, from.start, out, runs);
  }
};

// A factory for Draw, by the type of the output.
template <template <class> class Distribution, class Stream>
std::unique_ptr<GpuKernel> MakeDraw(const Node& node) {
  return ForType(node, node.output_types[0], Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    using T = typename decltype(tag)::Type;
    return std::make_unique<Draw<Distribution<T>, T, Stream>>(node);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
