// Uniform random numbers, bit for bit those of the CPU (R70–R77).
#include <type_traits>

#include "fastpath/gpu/lib/random.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A block of the generator makes kPerGroup numbers.
template <class T>
struct Uniform {
  static constexpr int kPerGroup = std::is_same_v<T, double> ? 2 : 4;
  static constexpr uint64_t kBlocksPerGroup = 1;

  PLUMB_GPU_INLINE static void Fill(Philox generator, T* out) {
    const Philox::Block words = generator.Next();
    for (int i = 0; i < kPerGroup; ++i) {
      if constexpr (std::is_same_v<T, double>) {
        out[i] = UniformDouble(words[2 * i], words[2 * i + 1]);
      } else {
        out[i] = One(words[i]);
      }
    }
  }
  // R77: as many low bits as the mantissa has.
  PLUMB_GPU_INLINE static T One(uint32_t word) {
    T value;
    if constexpr (std::is_same_v<T, float>) {
      value = UniformFloat(word);
    } else if constexpr (std::is_same_v<T, Half>) {
      value.bits = static_cast<uint16_t>((word & 0x3ff) | 15 << 10);
      value = HalfOf(FloatOf(value) - 1.0F);
    } else {
      value.bits = static_cast<uint16_t>((word & 0x7f) | 127 << 7);
      value = BFloat16Of(FloatOf(value) - 1.0F);
    }
    return value;
  }
};

// R72: least + word modulo the range, unsigned.
template <class T>
PLUMB_GPU_KERNEL IntegersLoop(RandomStart start, T least, std::make_unsigned_t<T> range, Global<T> out) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr int kPerBlock = 16 / static_cast<int>(sizeof(T));
  const Philox first = start.Generator();
  for (int64_t block = First(); block * kPerBlock < out.size; block += Stride()) {
    Philox generator = first;
    generator.Skip(static_cast<uint64_t>(block));
    const Philox::Block words = generator.Next();
    for (int i = 0; i < kPerBlock; ++i) {
      uint64_t word = words[sizeof(T) == 8 ? 2 * i : i];
      if (sizeof(T) == 8) word |= static_cast<uint64_t>(words[(2 * i + 1) % 4]) << 32;
      const int64_t place = block * kPerBlock + i;
      if (place < out.size) {
        out[place] = static_cast<T>(static_cast<Unsigned>(least) + static_cast<Unsigned>(word) % range);
      }
    }
  }
}

// Inputs number kLimits and the next are the limits, on the host.
template <class T, class Stream, int kLimits>
class UniformInt final : public RandomKernel<Stream> {
 public:
  using RandomKernel<Stream>::RandomKernel;
  void Run(GpuContext& context) override {
    const Tensor &low = context.input(kLimits), &high = context.input(kLimits + 1);
    const Shape shape = this->ShapeOfResult(context);
    if (kLimits > 1 && shape.elements() == 0) {  // stateless ops look at limits where there is something to draw
      this->stream_.StartFor(context, 0);
      context.AllocateOutput(0, shape);
      return;
    }
    Require(low.rank() == 0 && high.rank() == 0, "minval and maxval must be scalars");
    const T least = low.data<T>()[0], most = high.data<T>()[0];
    Tensor result = context.AllocateOutput(0, shape);
    const Global<T> out = context.ViewOf<T>(result);
    // What is refused takes nothing from the stream.
    Require(least < most || out.size == 0, "Need minval < maxval, got ", least, " >= ", most);
    const HeldStart from = this->stream_.StartFor(context, out.size);
    using Unsigned = std::make_unsigned_t<T>;
    const Unsigned range = static_cast<Unsigned>(most) - static_cast<Unsigned>(least);
    constexpr int64_t kPerBlock = 16 / sizeof(T);
    Launch(context.stream(), LoopOver((out.size + kPerBlock - 1) / kPerBlock), IntegersLoop<T>, from.start, least,
           range, out);
  }
};

template <class Stream, int kLimits>
std::unique_ptr<GpuKernel> MakeUniformInt(const Node& node) {
  return ForType(node, node.output_types[0], TypeList<int32_t, int64_t>(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<UniformInt<typename decltype(tag)::Type, Stream, kLimits>>(node);
  });
}

// Whole words, as numbers of the type.
template <class T>
struct FullInt {
  static constexpr int kPerGroup = 16 / static_cast<int>(sizeof(T));
  static constexpr uint64_t kBlocksPerGroup = 1;

  PLUMB_GPU_INLINE static void Fill(Philox generator, T* out) {
    const Philox::Block words = generator.Next();
    for (int i = 0; i < kPerGroup; ++i) {
      uint64_t word = words[sizeof(T) == 8 ? 2 * i : i];
      if (sizeof(T) == 8) word |= static_cast<uint64_t>(words[(2 * i + 1) % 4]) << 32;
      out[i] = static_cast<T>(word);
    }
  }
};

template <class Stream>
std::unique_ptr<GpuKernel> MakeFullInt(const Node& node) {
  return ForType(node, node.output_types[0], TypeList<int32_t, int64_t, uint32_t, uint64_t>(),
                 [&](auto tag) -> std::unique_ptr<GpuKernel> {
                   using T = typename decltype(tag)::Type;
                   return std::make_unique<Draw<FullInt<T>, T, Stream>>(node);
                 });
}

constexpr GpuKernelRow kRows[] = {
    {"RandomUniform", MakeDraw<Uniform, OwnStream>},
    {"RandomUniformInt", MakeUniformInt<OwnStream, 1>},
    {"StatelessRandomUniform", MakeDraw<Uniform, SeededStream>},
    {"StatelessRandomUniformFullInt", MakeFullInt<SeededStream>},
    {"StatelessRandomUniformFullIntV2", MakeFullInt<StatelessStream>},
    {"StatelessRandomUniformInt", MakeUniformInt<SeededStream, 2>},
    {"StatelessRandomUniformIntV2", MakeUniformInt<StatelessStream, 4>},
    {"StatelessRandomUniformV2", MakeDraw<Uniform, StatelessStream>},
};

}  // namespace

std::span<const GpuKernelRow> RandomUniform() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
