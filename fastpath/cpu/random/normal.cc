// Normal random numbers, bit for bit TensorFlow's for equal seeds (R73, R74).
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/state/stored_random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/random/box_muller.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
struct Normal {
  static constexpr int kPerBlock = 4;
  static void Fill(const Philox::Block& words, T* out) {
    for (int i = 0; i < kPerBlock; i += 2) {
      float pair[2];
      BoxMuller(UniformFloat(words[i]), UniformFloat(words[i + 1]), pair);
      out[i] = T(pair[0]);
      out[i + 1] = T(pair[1]);
    }
  }
};

template <>
struct Normal<double> {
  static constexpr int kPerBlock = 2;
  static void Fill(const Philox::Block& words, double* out) {
    BoxMuller(UniformDouble(words[0], words[1]), UniformDouble(words[2], words[3]), out);
  }
};

// R74: a group of kPerGroup numbers keeps what falls within two standard deviations.
template <class T>
struct Truncated {
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static constexpr int kPerGroup = std::is_same_v<T, double> ? 2 : 4;
  static constexpr uint64_t kBlocksPerGroup = kPerGroup * kBlocksPerOutput / 4;

  // From `first` on; `generator` has the blocks that follow.
  static void Fill(const Philox::Block& first, const Philox& generator, T* out) {
    int kept = 0;
    Keep(first, out, kept);
    if (kept == kPerGroup) return;
    for (Philox next = generator; kept < kPerGroup;) Keep(next.Next(), out, kept);
  }
  static void Keep(const Philox::Block& words, T* out, int& kept) {
    constexpr size_t kWordsPerPair = std::is_same_v<T, double> ? 4 : 2;
    for (size_t i = 0; i < words.size() && kept < kPerGroup; i += kWordsPerPair) {
      Real pair[2];
      if constexpr (std::is_same_v<T, double>) {
        BoxMuller(UniformDouble(words[0], words[1]), UniformDouble(words[2], words[3]), pair);
      } else {
        BoxMuller(UniformFloat(words[i]), UniformFloat(words[i + 1]), pair);
      }
      for (const Real value : pair) {
        if (std::abs(value) < Real(2) && kept < kPerGroup) out[kept++] = T(value);
      }
    }
  }
};

template <class T, class Base, int kShape = 0>
class TruncatedKernel : public Base {
 public:
  using Base::Base;

  void Run(KernelContext& context) override {
    using Distribution = Truncated<T>;
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(context.input(kShape)));
    const Philox start = this->StartFor(context, output.elements());
    FillGroups(context.pool(), output.mutable_data<T>().data(), output.elements(), Distribution::kPerGroup, 64,
               [&](int64_t begin, int64_t end, const auto& put) {
                 constexpr uint64_t kStep = Distribution::kBlocksPerGroup;
                 ForPhiloxBlocks<1>(start, kStep, begin, end, [&](int64_t group, const auto& blocks) {
                   Philox generator = start;
                   generator.Skip(static_cast<uint64_t>(group) * kStep + 1);
                   put(group, [&](T* to) { Distribution::Fill(blocks[0], generator, to); });
                 });
               });
  }
};

template <class T>
using TruncatedNormalKernel = TruncatedKernel<T, RandomKernel>;
template <class T>
using StatelessTruncatedNormalKernel = TruncatedKernel<T, StatelessRandomKernel>;
template <class T>
using NormalKernel = BlockRandomKernel<Normal<T>, T, 48>;
template <class T>
using StatelessNormalKernel = BlockRandomKernel<Normal<T>, T, 48, StatelessRandomKernel>;

template <class T>
using SeededTruncatedNormalKernel = TruncatedKernel<T, SeededRandomKernel>;
template <class T>
using SeededNormalKernel = BlockRandomKernel<Normal<T>, T, 48, SeededRandomKernel>;

template <class T>
using StoredTruncatedNormalKernel = TruncatedKernel<T, StoredRandomKernel, 2>;
template <class T>
using StoredNormalKernel = BlockRandomKernel<Normal<T>, T, 48, StoredRandomKernel, 2>;
template <class T>
using TaggedNormalKernel = BlockRandomKernel<Normal<T>, T, 48, TaggedRandomKernel, 1>;

constexpr KernelRow kRows[] = {
    {"RandomStandardNormal", MakeFor<NormalKernel, FloatTypes>},
    {"StatefulStandardNormal", MakeFor<TaggedNormalKernel, FloatTypes>},
    {"StatefulStandardNormalV2", MakeFor<StoredNormalKernel, FloatTypes>},
    {"StatefulTruncatedNormal", MakeFor<StoredTruncatedNormalKernel, FloatTypes>},
    {"StatelessRandomNormal", MakeFor<SeededNormalKernel, FloatTypes>},
    {"StatelessRandomNormalV2", MakeFor<StatelessNormalKernel, FloatTypes>},
    {"StatelessTruncatedNormal", MakeFor<SeededTruncatedNormalKernel, FloatTypes>},
    {"StatelessTruncatedNormalV2", MakeFor<StatelessTruncatedNormalKernel, FloatTypes>},
    {"TruncatedNormal", MakeFor<TruncatedNormalKernel, FloatTypes>},
};

}  // namespace

std::span<const KernelRow> RandomNormal() { return kRows; }

}  // namespace plumb::fast::cpu
