// Values to numbers and back, and values moved about without looking at their elements.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "reference/numbers/number.h"
#include "reference/numbers/sum.h"
#include "reference/numbers/value.h"

namespace plumb::reference {

// An array of numbers in row-major order. N is Real, Complex or Integer; `dtype` says how the elements are stored.
template <class N>
struct Array {
  DType dtype = DType::kInvalid;
  Shape shape;
  std::vector<N> at;

  N& operator[](int64_t i) { return at[static_cast<size_t>(i)]; }
  const N& operator[](int64_t i) const { return at[static_cast<size_t>(i)]; }
};
// Throws kResourceExhausted when a result of this shape is beyond what the reference will hold.
void CheckResultSize(const Shape& shape);
template <class N>
Array<N> MakeArray(DType dtype, const Shape& shape, N fill = N()) {
  CheckResultSize(shape);
  return {dtype, shape, std::vector<N>(static_cast<size_t>(shape.elements()), fill)};
}

// The elements of `value` with their bounds and derivatives. N must fit the type: Real for floating types, Complex for
// complex ones, Integer for integers, quantised types and bool.
template <class N>
Array<N> Load(const Value& value);
// The elements rounded to the array's type. The bound of each covers the step from the number to what is stored:
// the rounding, and the flush to zero of subnormal results.
template <class N>
Value Store(const Array<N>& array);
// The one element of a scalar.
template <class N>
N LoadScalar(const Value& value) {
  Require(value.tensor.elements() == 1, "a scalar is needed, not shape ", value.tensor.shape().ToString());
  return Load<N>(value)[0];
}

// What remains of a whole number when it is stored as `dtype`: reduced modulo the width; bool keeps "not zero".
Integer Wrap(Integer number, DType dtype);
// What a float format makes of a number.
double RoundTo(DType dtype, double number);

template <class N>
bool IsStoredAs(DType dtype) {
  if constexpr (std::is_same_v<N, Real>) return IsFloating(dtype);
  if constexpr (std::is_same_v<N, Complex>) return IsComplex(dtype);
  if constexpr (std::is_same_v<N, Integer>) return IsInteger(dtype) || dtype == DType::kBool;
}

// Calls f(TypeTag<N>{}) with the kind of number among `Kinds` that `dtype` stores, arithmetic being that of `dtype`;
// kInvalidArgument when none does (rule A7). Quantised elements are codes, not numbers.
template <class... Kinds, class F>
void ForKind(DType dtype, F&& f) {
  ComputeIn(dtype);
  const bool found = ((IsStoredAs<Kinds>(dtype) && (f(TypeTag<Kinds>{}), true)) || ...);
  if (!found) throw NoKernel(Code::kInvalidArgument, "no kernel is registered for elements of type ", DTypeName(dtype));
}
template <class F>
void ForNumber(DType dtype, F&& f) {
  ForKind<Real, Integer, Complex>(dtype, std::forward<F>(f));
}

// A value put together from pieces of other values of its type: elements, bounds and derivatives move alike, whatever
// the type. What is never copied to is zero, false or the empty string.
class Assembly {
 public:
  Assembly(DType dtype, const Shape& shape);
  // `count` consecutive elements of `from`, starting at `at`, become the elements starting at `to`. The caller has
  // checked both ranges.
  void Copy(int64_t to, const Value& from, int64_t at, int64_t count = 1);
  Value Take();

 private:
  void CopySidecar(std::unique_ptr<std::vector<double>>& mine, const Sidecar& from, int64_t to, int64_t at,
                   int64_t count);

  Tensor tensor_;
  int64_t parts_;  // sidecar entries per element: 2 for complex types
  std::unique_ptr<std::vector<double>> bound_, tangent_;
};

// Element i of the result is element positions[i] of `value`. The positions are those of existing elements.
Value Gathered(const Value& value, const Shape& shape, std::span<const int64_t> positions);
// Element positions[i] of the result is element i of `value`; all others are zero.
Value Scattered(const Value& value, const Shape& shape, std::span<const int64_t> positions);
// The same elements under another shape; of an alias, an alias (rule R31).
Value Reshaped(const Value& value, const Shape& shape);

}  // namespace plumb::reference
