// Random ops: bit for bit TensorFlow's numbers for equal seeds (rules R70–R80).
#include <cmath>
#include <random>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/families.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/formulas/philox.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {

RandomStream::RandomStream(int64_t seed, int64_t seed2) {
  if (seed == 0 && seed2 == 0) {
    std::random_device device;
    const auto word64 = [&] { return static_cast<uint64_t>(device()) << 32 | device(); };
    generator_ = Philox(word64(), word64());
  } else {
    generator_ = Philox(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed2));
  }
}

Philox RandomStream::Reserve(uint64_t blocks) {
  std::lock_guard lock(mutex_);
  Philox reserved = generator_;
  generator_.Skip(blocks);
  return reserved;
}

namespace {

constexpr uint64_t kBlocksPerOutput = 256;  // R71
constexpr double kPi = 3.14159265358979323846;

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

// R73: two independent normal numbers from two uniform ones.
template <class T>
void BoxMuller(T u1, T u2, T* out) {
  const T radius = std::sqrt(T(-2) * std::log(std::max(u1, T(1.0e-7))));
  const T angle = static_cast<T>(2 * kPi * static_cast<double>(u2));  // one rounding, as TensorFlow's
  out[0] = radius * std::sin(angle);
  out[1] = radius * std::cos(angle);
}

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

  static void Fill(Philox generator, T* out) {
    PhiloxWords words(generator);
    for (int kept = 0; kept < kPerGroup;) {
      Real pair[2];
      Draw(words, pair);
      for (const Real value : pair) {
        if (std::abs(value) < Real(2) && kept < kPerGroup) out[kept++] = T(value);
      }
    }
  }
  static void Draw(PhiloxWords& words, Real* pair) {
    const uint32_t w0 = words.Next(), w1 = words.Next();
    if constexpr (std::is_same_v<T, double>) {
      const uint32_t w2 = words.Next(), w3 = words.Next();
      BoxMuller(UniformDouble(w0, w1), UniformDouble(w2, w3), pair);
    } else {
      BoxMuller(UniformFloat(w0), UniformFloat(w1), pair);
    }
  }
};

// Fills out[0 … n) with groups of `per_group`; fill(group, out) writes one whole group.
template <class T, class F>
void FillGroups(ThreadPool& pool, T* out, int64_t n, int per_group, int64_t work, const F& fill) {
  const int64_t groups = (n + per_group - 1) / per_group;
  pool.ParallelFor(groups, GrainFor(work * per_group), [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      const int64_t at = group * per_group;
      if (at + per_group <= n) {
        fill(group, out + at);
      } else {
        T last[4];
        fill(group, last);
        std::copy(last, last + (n - at), out + at);
      }
    }
  });
}

Shape ShapeIn(const std::string& node, const Tensor& shape) {
  Require(shape.rank() == 1, "node ", node, ": the shape must be a vector, not of shape ", Printed(shape.shape()));
  return Shape(ToInt64s(shape));
}

class RandomKernel : public Kernel {
 public:
  explicit RandomKernel(const Node& node)
      : node_(node.name), stream_(GetAttr<int64_t>(node.attrs, "seed"), GetAttr<int64_t>(node.attrs, "seed2")) {}

 protected:
  Philox ReserveFor(int64_t outputs) { return stream_.Reserve(static_cast<uint64_t>(outputs) * kBlocksPerOutput); }

  const std::string node_;
  RandomStream stream_;
};

// Distributions that use one block after the other.
template <class Distribution, class T, int kWork>
class BlockRandomKernel : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(node_, context.input(0)));
    const Philox start = ReserveFor(output.elements());
    FillGroups(context.pool(), output.mutable_data<T>().data(), output.elements(), Distribution::kPerBlock, kWork,
               [&](int64_t block, T* out) {
                 Philox generator = start;
                 generator.Skip(static_cast<uint64_t>(block));
                 Distribution::Fill(generator.Next(), out);
               });
  }
};

template <class T>
class TruncatedNormalKernel : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    using Distribution = Truncated<T>;
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(node_, context.input(0)));
    const Philox start = ReserveFor(output.elements());
    FillGroups(context.pool(), output.mutable_data<T>().data(), output.elements(), Distribution::kPerGroup, 64,
               [&](int64_t group, T* out) {
                 Philox generator = start;
                 generator.Skip(static_cast<uint64_t>(group) * Distribution::kBlocksPerGroup);
                 Distribution::Fill(generator, out);
               });
  }
};

// R72: lo + (word mod range), unsigned.
template <class T>
class RandomUniformIntKernel : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    const Tensor &low = context.input(1), &high = context.input(2);
    Require(low.rank() == 0 && high.rank() == 0, "node ", node_, ": minval and maxval must be scalars");
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, ShapeIn(node_, context.input(0)));
    if (output.elements() == 0) return;
    const T lo = low.data<T>()[0], hi = high.data<T>()[0];
    Require(lo < hi, "node ", node_, ": Need minval < maxval, got ", lo, " >= ", hi);
    using U = std::make_unsigned_t<T>;
    const U range = static_cast<U>(hi) - static_cast<U>(lo);
    constexpr int kPerBlock = 16 / sizeof(T);
    const Philox start = ReserveFor(output.elements());
    FillGroups(
        context.pool(), output.mutable_data<T>().data(), output.elements(), kPerBlock, 8, [&](int64_t block, T* out) {
          Philox generator = start;
          generator.Skip(static_cast<uint64_t>(block));
          const Philox::Block words = generator.Next();
          for (int i = 0; i < kPerBlock; ++i) {
            const U word = sizeof(T) == 8 ? static_cast<U>(words[i * 2] | static_cast<uint64_t>(words[i * 2 + 1]) << 32)
                                          : static_cast<U>(words[i]);
            out[i] = static_cast<T>(static_cast<U>(lo) + word % range);
          }
        });
  }
};

// Swaps elements as R78 says: i with i + (next word mod what is left).
template <class T>
void Shuffle(PhiloxWords& words, std::span<T> values) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    std::swap(values[i], values[i + words.Next() % (values.size() - i)]);
  }
}

// R78.
class RandomShuffleKernel : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(0);
    if (value.rank() == 0 || value.elements() <= 1 || value.dim(0) <= 1) return context.SetOutput(0, value);
    const int64_t rows = value.dim(0);
    PhiloxWords words(stream_.Reserve(static_cast<uint64_t>(rows - 1 + 3) / 4));
    std::vector<int64_t> order(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) order[i] = i;
    Shuffle<int64_t>(words, order);
    Tensor& output = context.AllocateOutput(0, value.dtype(), value.shape());
    const int64_t row = value.elements() / rows;
    VisitType(value.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = value.data<T>().data();
      T* to = output.mutable_data<T>().data();
      for (const int64_t source : order) to = std::copy(from + source * row, from + (source + 1) * row, to);
    });
  }
};

template <class T>
using UniformKernel = BlockRandomKernel<Uniform<T>, T, 8>;
template <class T>
using NormalKernel = BlockRandomKernel<Normal<T>, T, 48>;

constexpr KernelRow kRows[] = {
    {"RandomUniform", MakeFor<UniformKernel, FloatTypes>},
    {"RandomStandardNormal", MakeFor<NormalKernel, FloatTypes>},
    {"TruncatedNormal", MakeFor<TruncatedNormalKernel, FloatTypes>},
    {"RandomUniformInt", MakeFor<RandomUniformIntKernel, IndexTypes>},
    {"RandomShuffle", Make<RandomShuffleKernel>},
};

}  // namespace

std::span<const KernelRow> CpuRandomKernels() { return kRows; }

}  // namespace plumb::fast::cpu
