// What products of codes share: the codes counted from that of 0, and the range of the products.
#pragma once

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {

// A range of codes of 8 bits.
template <class Code>
struct FactorRange {
  float min, max;

  void Require() const { plumb::Require(max > min, "the range of an operand must not be empty: ", min, " to ", max); }
  // The code of 0, as 32 bits hold it.
  int32_t Zero() const { return static_cast<int32_t>(Steps<Code>(min, max).Unbounded(0)); }
  float Step() const { return (max - min) / static_cast<float>(CodeLimits<Code>::kHigh - CodeLimits<Code>::kLow); }
};

// Outputs 1 and 2: what the ends of qint32 stand for where a step is the product of both operands' steps.
template <class Code>
void OutputProductRange(KernelContext& context, const FactorRange<Code>& a, const FactorRange<Code>& b) {
  const float step = a.Step() * b.Step();
  OutputFloat(context, 1, step * CodeLimits<int32_t>::kFirst);
  OutputFloat(context, 2, step * CodeLimits<int32_t>::kLast);
}

// code − zero, modulo 2^32.
inline int32_t Centered(uint8_t code, int32_t zero) {
  return static_cast<int32_t>(uint32_t{code} - static_cast<uint32_t>(zero));
}
// As T, int32_t or a float that holds them all.
template <class T = int32_t>
Tensor CenteredCodes(ThreadPool& pool, const Tensor& codes, int32_t zero) {
  Tensor centered = Allocate(DTypeOf<T>, codes.shape());
  const Quint8* const from = codes.data<Quint8>().data();
  T* const to = centered.mutable_data<T>().data();
  pool.ParallelFor(codes.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<T>(Centered(from[i].value, zero));
  });
  return centered;
}

}  // namespace plumb::fast::cpu
