// What the random kernels share: where they begin to draw, and groups of numbers filled on the pool.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/philox_blocks.h"
#include "fastpath/device/random_stream.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {

// The shape that an input names; `node` is for the error.
Shape ShapeIn(const Tensor& shape);

// What makes a key (the first two words that it gives) and the upper half of a counter (the next two) of two seeds.
Philox ScrambledSeed(const Tensor& seed);

inline constinit ChoicePoint whole_groups("random numbers: a part of a group, or whole groups");

// Fills out[0 … n) with groups of `per_group` numbers: fill(begin, end, put) calls put(i, write) for each i in [begin,
// end), and write(numbers) writes the whole group number i.
template <class T, class F>
void FillGroups(ThreadPool& pool, T* out, int64_t n, int per_group, int64_t work, const F& fill) {
  whole_groups.Chosen(n % per_group == 0);
  const auto put = [=](int64_t group, const auto& write) {
    const int64_t at = group * per_group;
    if (at + per_group <= n) return write(out + at);
    T last[4];
    write(last);
    std::copy(last, last + (n - at), out + at);
  };
  pool.ParallelFor((n + per_group - 1) / per_group, GrainFor(work * per_group),
                   [&](int64_t begin, int64_t end) { fill(begin, end, put); });
}

// Draws from a stream of its own.
class RandomKernel : public Kernel {
 public:
  explicit RandomKernel(const Node& node)
      : stream_(GetAttr<int64_t>(node.attrs, "seed"), GetAttr<int64_t>(node.attrs, "seed2")) {}

  void Save(const StateWriter& writer) const override { stream_.Save(writer); }
  void Restore(const StateReader& reader) override { stream_.Restore(reader); }

 protected:
  Philox StartFor(KernelContext&, int64_t outputs) {
    return stream_.Reserve(static_cast<uint64_t>(outputs) * kBlocksPerOutput);
  }

  RandomStream stream_;
};

// Where to draw by the inputs 1 to 3, `key`, `counter` and `alg`, and by the two seeds that are input 1, scrambled.
Philox StartOfKey(KernelContext& context, int64_t outputs);
Philox StartOfSeeds(KernelContext& context, int64_t outputs);

// Draws where inputs say, which `start` reads.
template <Philox (*start)(KernelContext&, int64_t outputs)>
class InputRandomKernel : public Kernel {
 public:
  explicit InputRandomKernel(const Node&) {}

 protected:
  Philox StartFor(KernelContext& context, int64_t outputs) const { return start(context, outputs); }
};
using StatelessRandomKernel = InputRandomKernel<StartOfKey>;
using SeededRandomKernel = InputRandomKernel<StartOfSeeds>;

// Distributions that use one block after the other. `Base` draws; input kShape is the shape.
template <class Distribution, class T, int kWork, class Base = RandomKernel, int kShape = 0>
class BlockRandomKernel : public Base {
 public:
  using Base::Base;

  void Run(KernelContext& context) override {
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(context.input(kShape)));
    const Philox start = this->StartFor(context, output.elements());
    FillGroups(context.pool(), output.mutable_data<T>().data(), output.elements(), Distribution::kPerBlock, kWork,
               [&](int64_t begin, int64_t end, const auto& put) {
                 ForPhiloxBlocks<1>(start, 1, begin, end, [&](int64_t i, const auto& blocks) {
                   put(i, [&](T* to) { Distribution::Fill(blocks[0], to); });
                 });
               });
  }
};

}  // namespace plumb::fast::cpu
