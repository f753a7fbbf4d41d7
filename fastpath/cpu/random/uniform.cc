// Uniform random numbers, bit for bit TensorFlow's for equal seeds (R70–R77).
#include <type_traits>

#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/state/stored_random.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// A distribution turns one block into kPerBlock numbers.
template <class T>
struct Uniform {
  static constexpr int kPerBlock = 4;
  static void Fill(const Philox::Block& words, T* out) {
    for (int i = 0; i < kPerBlock; ++i) out[i] = One(words[i]);
  }
  static T One(uint32_t word) {  // R77: as many low bits as the mantissa has
    T value;
    if constexpr (std::is_same_v<T, Half>) {
      value.bits = static_cast<uint16_t>((word & 0x3ff) | 15 << 10);
    } else {
      value.bits = static_cast<uint16_t>((word & 0x7f) | 127 << 7);
    }
    return T(static_cast<float>(value) - 1.0f);
  }
};

template <>
struct Uniform<float> {
  static constexpr int kPerBlock = 4;
  static void Fill(const Philox::Block& words, float* out) {
    for (int i = 0; i < kPerBlock; ++i) out[i] = UniformFloat(words[i]);
  }
};

template <>
struct Uniform<double> {
  static constexpr int kPerBlock = 2;
  static void Fill(const Philox::Block& words, double* out) {
    out[0] = UniformDouble(words[0], words[1]);
    out[1] = UniformDouble(words[2], words[3]);
  }
};

// What is asked of limits where there is nothing to draw: that they be scalars; nothing; or all that is asked
// elsewhere.
enum class Idle { kScalars, kNothing, kAll };

// R72: lo + (word mod range), unsigned.
// Input kShape is the shape; inputs number kFirst and the next are the limits.
template <class T, class Base, int kShape, int kFirst, Idle kIdle>
class UniformIntKernel : public Base {
 public:
  using Base::Base;

  void Run(KernelContext& context) override {
    const Tensor &low = context.input(kFirst), &high = context.input(kFirst + 1);
    const Shape shape = ShapeIn(context.input(kShape));
    if (kIdle == Idle::kNothing && shape.elements() == 0) {
      this->StartFor(context, 0);
      context.AllocateOutput(0, DTypeOf<T>, shape);
      return;
    }
    Require(low.rank() == 0 && high.rank() == 0, "minval and maxval must be scalars");
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, shape);
    const T lo = low.data<T>()[0], hi = high.data<T>()[0];
    // What is refused takes nothing from the stream.
    Require(lo < hi || (kIdle != Idle::kAll && output.elements() == 0), "Need minval < maxval, got ", lo, " >= ", hi);
    const Philox start = this->StartFor(context, output.elements());
    if (output.elements() == 0) return;
    using U = std::make_unsigned_t<T>;
    const U range = static_cast<U>(hi) - static_cast<U>(lo);
    constexpr int kPerBlock = 16 / sizeof(T);
    const auto each = [lo, range](const Philox::Block& words, T* out) {
      for (int i = 0; i < kPerBlock; ++i) {
        const U word = sizeof(T) == 8 ? static_cast<U>(words[i * 2] | static_cast<uint64_t>(words[i * 2 + 1]) << 32)
                                      : static_cast<U>(words[i]);
        out[i] = static_cast<T>(static_cast<U>(lo) + word % range);
      }
    };
    FillGroups(context.pool(), output.mutable_data<T>().data(), output.elements(), kPerBlock, 8,
               [&](int64_t begin, int64_t end, const auto& put) {
                 ForPhiloxBlocks<1>(start, 1, begin, end, [&](int64_t i, const auto& blocks) {
                   put(i, [&](T* to) { each(blocks[0], to); });
                 });
               });
  }
};

// Whole words, as numbers of the type.
template <class T>
struct FullInt {
  static constexpr int kPerBlock = 16 / sizeof(T);
  static void Fill(const Philox::Block& words, T* out) {
    for (int i = 0; i < kPerBlock; ++i) {
      if constexpr (sizeof(T) == 8) {
        out[i] = static_cast<T>(words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32);
      } else {
        out[i] = static_cast<T>(words[i]);
      }
    }
  }
};

template <class T>
using RandomUniformIntKernel = UniformIntKernel<T, RandomKernel, 0, 1, Idle::kScalars>;
template <class T>
using StatelessUniformIntKernel = UniformIntKernel<T, StatelessRandomKernel, 0, 4, Idle::kNothing>;
template <class T>
using UniformKernel = BlockRandomKernel<Uniform<T>, T, 8>;
template <class T>
using StatelessUniformKernel = BlockRandomKernel<Uniform<T>, T, 8, StatelessRandomKernel>;

template <class T>
using SeededUniformIntKernel = UniformIntKernel<T, SeededRandomKernel, 0, 2, Idle::kNothing>;
template <class T>
using SeededUniformKernel = BlockRandomKernel<Uniform<T>, T, 8, SeededRandomKernel>;
template <class T>
using SeededFullIntKernel = BlockRandomKernel<FullInt<T>, T, 8, SeededRandomKernel>;
template <class T>
using StatelessFullIntKernel = BlockRandomKernel<FullInt<T>, T, 8, StatelessRandomKernel>;

template <class T>
using StoredUniformIntKernel = UniformIntKernel<T, StoredRandomKernel, 2, 3, Idle::kAll>;
template <class T>
using StoredUniformKernel = BlockRandomKernel<Uniform<T>, T, 8, StoredRandomKernel, 2>;
template <class T>
using StoredFullIntKernel = BlockRandomKernel<FullInt<T>, T, 8, StoredRandomKernel, 2>;
using FullIntTypes = Types<int32_t, int64_t, uint32_t, uint64_t>;

constexpr KernelRow kRows[] = {
    {"RandomUniform", MakeFor<UniformKernel, FloatTypes>},
    {"RandomUniformInt", MakeFor<RandomUniformIntKernel, IndexTypes>},
    {"StatefulUniform", MakeFor<StoredUniformKernel, FloatTypes>},
    {"StatefulUniformFullInt", MakeFor<StoredFullIntKernel, FullIntTypes>},
    {"StatefulUniformInt", MakeFor<StoredUniformIntKernel, IndexTypes>},
    {"StatelessRandomUniform", MakeFor<SeededUniformKernel, FloatTypes>},
    {"StatelessRandomUniformFullInt", MakeFor<SeededFullIntKernel, FullIntTypes>},
    {"StatelessRandomUniformFullIntV2", MakeFor<StatelessFullIntKernel, FullIntTypes>},
    {"StatelessRandomUniformInt", MakeFor<SeededUniformIntKernel, IndexTypes>},
    {"StatelessRandomUniformIntV2", MakeFor<StatelessUniformIntKernel, IndexTypes>},
    {"StatelessRandomUniformV2", MakeFor<StatelessUniformKernel, FloatTypes>},
};

}  // namespace

std::span<const KernelRow> RandomUniform() { return kRows; }

}  // namespace plumb::fast::cpu
