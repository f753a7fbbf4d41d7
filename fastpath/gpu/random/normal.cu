// Normal random numbers, from the same words as the CPU's (R73, R74).
#include <cmath>
#include <type_traits>

#include "fastpath/gpu/lib/random.h"
#include "fastpath/gpu/lib/words.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/random/box_muller-inl.h"
#undef PLUMB_INLINE

// A pair of the words that are next.
template <class Real>
PLUMB_GPU_INLINE void NextPair(PhiloxWords& words, Real* out) {
  const uint32_t w0 = words.Next(), w1 = words.Next();
  if constexpr (std::is_same_v<Real, double>) {
    const uint32_t w2 = words.Next(), w3 = words.Next();
    BoxMuller(UniformDouble(w0, w1), UniformDouble(w2, w3), out);
  } else {
    BoxMuller(UniformFloat(w0), UniformFloat(w1), out);
  }
}

// A block of the generator makes kPerGroup numbers; 16-bit ones are rounded from float (R77).
template <class T>
struct Normal {
  static constexpr int kPerGroup = std::is_same_v<T, double> ? 2 : 4;
  static constexpr uint64_t kBlocksPerGroup = 1;

  PLUMB_GPU_INLINE static void Fill(Philox generator, T* out) {
    PhiloxWords words(generator);
    for (int i = 0; i < kPerGroup; i += 2) {
      typename Computed<T>::Type pair[2];
      NextPair(words, pair);
      out[i] = Computed<T>::Store(pair[0]);
      out[i + 1] = Computed<T>::Store(pair[1]);
    }
  }
};

// R74: a group keeps what falls within two standard deviations.
template <class T>
struct Truncated {
  static constexpr int kPerGroup = std::is_same_v<T, double> ? 2 : 4;
  static constexpr uint64_t kBlocksPerGroup = kPerGroup * kBlocksPerOutput / 4;

  PLUMB_GPU_INLINE static void Fill(Philox generator, T* out) {
    using Real = typename Computed<T>::Type;
    PhiloxWords words(generator);
    for (int kept = 0; kept < kPerGroup;) {
      Real pair[2];
      NextPair(words, pair);
      for (int i = 0; i < 2; ++i) {
        if (std::fabs(pair[i]) < Real(2) && kept < kPerGroup) out[kept++] = Computed<T>::Store(pair[i]);
      }
    }
  }
};

constexpr GpuKernelRow kRows[] = {
    {"RandomStandardNormal", MakeDraw<Normal, OwnStream>},
    {"StatelessRandomNormal", MakeDraw<Normal, SeededStream>},
    {"StatelessRandomNormalV2", MakeDraw<Normal, StatelessStream>},
    {"StatelessTruncatedNormal", MakeDraw<Truncated, SeededStream>},
    {"StatelessTruncatedNormalV2", MakeDraw<Truncated, StatelessStream>},
    {"TruncatedNormal", MakeDraw<Truncated, OwnStream>},
};

}  // namespace

std::span<const GpuKernelRow> RandomNormal() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
