// Cast between any two number types. What C++ leaves open for values out of range is what x86 does (N13).
#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "spec/core/quantized.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint pieces("cast by way of float: one piece, or several");

using CastLoop = void (*)(const void* from, void* to, int64_t n);

// The least number for NaN and whatever does not fit, as cvttss2si answers.
template <class Int, class Float>
Int Truncated(Float value) {
  constexpr Float kBound = static_cast<Float>(uint64_t{1} << (8 * sizeof(Int) - 1));
  return value >= -kBound && value < kBound ? static_cast<Int>(value) : std::numeric_limits<Int>::min();
}

// Narrow integers go through int32, unsigned 32-bit ones through int64, and 64-bit ones through two halves.
template <class Int, class Float>
Int FloatToInt(Float value) {
  if constexpr (std::is_same_v<Int, uint64_t>) {
    constexpr Float kHalf = static_cast<Float>(uint64_t{1} << 63);
    if (value >= kHalf) return static_cast<uint64_t>(Truncated<int64_t>(value - kHalf)) ^ (uint64_t{1} << 63);
    return static_cast<uint64_t>(Truncated<int64_t>(value));
  } else if constexpr (sizeof(Int) == 8 || std::is_same_v<Int, uint32_t>) {
    return static_cast<Int>(Truncated<int64_t>(value));
  } else {
    return static_cast<Int>(Truncated<int32_t>(value));
  }
}

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <class To, class From>
To CastValue(From value) {
  if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
  } else if constexpr (kIsComplex<From>) {
    return CastValue<To>(value.real());
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return FloatToInt<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class From, class To>
void CastAll(const void* from, void* to, int64_t n) {
  const From* x = static_cast<const From*>(from);
  To* y = static_cast<To*>(to);
  for (int64_t i = 0; i < n; ++i) y[i] = CastValue<To>(x[i]);
}

// 16-bit floating-point types are widened first.
using PlainTypes = decltype(Types<bool, float, double>() + IntegerTypes() + ComplexTypes());

CastLoop LoopFor(DType from, DType to) {
  return VisitOneOf(PlainTypes(), from, CastLoop(), [to](auto source) {
    return VisitOneOf(PlainTypes(), to, CastLoop(), [](auto target) -> CastLoop {
      return CastAll<typename decltype(source)::Type, typename decltype(target)::Type>;
    });
  });
}

// What the attribute Truncate drops instead of rounding (N13): the lowest bits of each word of the source.
struct DroppedBits {
  DType from, to;
  int bits;
};
constexpr DroppedBits kDropped[] = {
    {DType::kDouble, DType::kFloat, 29},         {DType::kComplex128, DType::kFloat, 29},
    {DType::kDouble, DType::kHalf, 42},          {DType::kComplex128, DType::kHalf, 42},
    {DType::kComplex128, DType::kComplex64, 29}, {DType::kDouble, DType::kComplex64, 53},
    {DType::kFloat, DType::kHalf, 13},           {DType::kComplex64, DType::kHalf, 13},
    {DType::kFloat, DType::kBfloat16, 16},
};
int BitsDropped(DType from, DType to) {
  for (const DroppedBits& row : kDropped) {
    if (row.from == from && row.to == to) return row.bits;
  }
  return 0;
}

template <class Word>
void ClearLowBits(char* numbers, size_t bytes, int bits) {
  Word* const words = reinterpret_cast<Word*>(numbers);
  const Word mask = ~((Word{1} << bits) - 1);
  for (size_t i = 0; i < bytes / sizeof(Word); ++i) words[i] &= mask;
}

class Cast final : public Kernel {
 public:
  explicit Cast(const Node& node) : from_(InputType(node, 0)), to_(OutputType(node, 0)) {
    if (from_ == to_) return;
    // Quantised values are cast as the integers that store them.
    loop_ = LoopFor(ComputeType(StorageType(from_)), ComputeType(StorageType(to_)));
    if (loop_ == nullptr) {
      throw Unimplemented("a cast from ", DTypeName(from_), " to ", DTypeName(to_), " is not supported");
    }
    if (GetAttrOr<bool>(node.attrs, "Truncate", false)) dropped_bits_ = BitsDropped(from_, to_);
  }

  bool KeepsAliases() const override { return true; }
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    if (from_ == to_) return context.SetOutput(0, x);  // R31
    context.CopyGuarded(0);
    const char* from = static_cast<const char*>(x.raw());
    const int64_t n = x.elements();
    char* to = static_cast<char*>(context.AllocateOutput(0, to_, x.shape()).mutable_raw());
    const auto from_size = static_cast<int64_t>(ElementSize(from_)), to_size = static_cast<int64_t>(ElementSize(to_));
    const bool direct = !IsHalfWidth(from_) && !IsHalfWidth(to_) && dropped_bits_ == 0;
    context.pool().ParallelFor(n, GrainFor(1), [&](int64_t begin, int64_t end) {
      if (direct) return loop_(from + begin * from_size, to + begin * to_size, end - begin);
      if (from_ == DType::kFloat && dropped_bits_ == 0) {
        return FromFloat(to_, reinterpret_cast<const float*>(from) + begin, to + begin * to_size, end - begin);
      }
      if (to_ == DType::kFloat && IsHalfWidth(from_)) {
        return ToFloat(from_, from + begin * from_size, reinterpret_cast<float*>(to) + begin, end - begin);
      }
      pieces.Chosen(end - begin > kFloatPiece);
      for (int64_t i = begin; i < end; i += kFloatPiece) {
        Convert(from + i * from_size, to + i * to_size, std::min(kFloatPiece, end - i));
      }
    });
  }

 private:
  void Convert(const char* from, char* to, int64_t n) const {
    alignas(16) char source[kFloatPiece * 16];
    const size_t bytes = static_cast<size_t>(n) * ElementSize(from_);
    if (IsHalfWidth(from_)) {
      ToFloat(from_, from, reinterpret_cast<float*>(source), n);
    } else {
      std::memcpy(source, from, bytes);
    }
    if (dropped_bits_ > 0 && (from_ == DType::kFloat || from_ == DType::kComplex64)) {
      ClearLowBits<uint32_t>(source, bytes, dropped_bits_);
    } else if (dropped_bits_ > 0) {
      ClearLowBits<uint64_t>(source, bytes, dropped_bits_);
    }
    if (!IsHalfWidth(to_)) return loop_(source, to, n);
    float target[kFloatPiece];
    loop_(source, target, n);
    FromFloat(to_, target, to, n);
  }

  DType from_;
  DType to_;
  int dropped_bits_ = 0;
  CastLoop loop_ = nullptr;
};

constexpr KernelRow kRows[] = {
    {"Cast", Make<Cast>},
    {"_HostCast", Make<Cast>},
};

}  // namespace

std::span<const KernelRow> MathCast() { return kRows; }

}  // namespace plumb::fast::cpu
