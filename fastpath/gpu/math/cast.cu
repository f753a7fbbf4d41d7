// Cast between number types. What C++ leaves open for values out of range is what x86 does (N13).
#include <bit>
#include <limits>
#include <string>
#include <type_traits>

#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using CastTypes = TypeList<float, double, Half, BFloat16, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>;

// The least number for NaN and whatever does not fit.
template <class Int, class Float>
PLUMB_GPU_INLINE Int TruncatedOrLeast(Float value) {
  constexpr Float kBound = static_cast<Float>(uint64_t{1} << (8 * sizeof(Int) - 1));
  return value >= -kBound && value < kBound ? static_cast<Int>(value) : std::numeric_limits<Int>::min();
}

// Narrow integers go through int32.
template <class To, class From>
PLUMB_GPU_INLINE To CastValue(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Wide = std::conditional_t<sizeof(To) == 8, int64_t, int32_t>;
    return static_cast<To>(TruncatedOrLeast<Wide>(value));
  } else {
    return static_cast<To>(value);
  }
}

// The word that holds the bits of a number whose lowest may be dropped.
template <class From>
using WordOf = std::conditional_t<std::is_same_v<From, double>, uint64_t, uint32_t>;

// kept: the bits of a float or a double that count.
template <class From, class To>
PLUMB_GPU_KERNEL CastLoop(Global<const From> x, Global<To> y, WordOf<From> kept, int64_t runs) {
  ForRuns<kRunOf<From, To>>(runs, y.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const Pack<From, n> from = LoadPack<n>(x, i);
    Pack<To, n> to;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      auto value = Computed<From>::Load(from.at[k]);
      if constexpr (std::is_same_v<From, float> || std::is_same_v<From, double>) {
        value = std::bit_cast<From>(std::bit_cast<WordOf<From>>(value) & kept);
      }
      to.at[k] = Computed<To>::Store(CastValue<typename Computed<To>::Type>(value));
    }
    StorePack(y, i, to);
  });
}

class Hand final : public GpuKernel {
 public:
  explicit Hand(const Node&) {}
  void Run(GpuContext& context) override { context.SetOutput(0, context.input(0)); }
};

template <class From, class To>
class Cast final : public GpuKernel {
 public:
  explicit Cast(const Node& node) {
    if (GetAttrOr<bool>(node.attrs, "Truncate", false)) kept_ = ~((WordOf<From>{1} << BitsDropped()) - 1);
  }
  void Run(GpuContext& context) override {
    const Global<const From> x = context.In<From>(0);
    Tensor y = context.AllocateOutput(0, context.input(0).shape());
    const Global<To> out = context.ViewOf<To>(y);
    const int64_t runs = WholeRuns<kRunOf<From, To>>(out.size, x, out);
    Launch(context.stream(), LoopOverRuns(runs, out.size), CastLoop<From, To>, x, out, kept_, runs);
  }

 private:
  // Those of the mantissa that the target has no room for (N13).
  static constexpr int BitsDropped() {
    if (std::is_same_v<From, double>) return std::is_same_v<To, float> ? 29 : std::is_same_v<To, Half> ? 42 : 0;
    if (!std::is_same_v<From, float>) return 0;
    return std::is_same_v<To, Half> ? 13 : std::is_same_v<To, BFloat16> ? 16 : 0;
  }

  WordOf<From> kept_ = ~WordOf<From>{0};
};

std::unique_ptr<GpuKernel> MakeCast(const Node& node) {
  const DType from = Base(node.input_types[0]), to = Base(node.output_types[0]);
  if (from == to) return std::make_unique<Hand>(node);  // R31
  return ForType(node, from, CastTypes(), [&](auto source) {
    return ForType(node, to, CastTypes(), [&](auto target) -> std::unique_ptr<GpuKernel> {
      return std::make_unique<Cast<typename decltype(source)::Type, typename decltype(target)::Type>>(node);
    });
  });
}

constexpr GpuKernelRow kRows[] = {
    {"Cast", MakeCast},
};

}  // namespace

std::span<const GpuKernelRow> MathCast() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
