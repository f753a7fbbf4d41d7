// The comparator: is a tensor what the reference allows? No tolerance is chosen here: limits are the bounds that the
// reference carries with its values, or its own spread when it runs under random rounding.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "conformance/compare/verdict.h"
#include "reference/numbers/value.h"

namespace plumb::conformance {

// Where implementations may differ by declaration.
struct Profile {
  bool flush_subnormals = true;  // results of arithmetic below the smallest normal number may be zero
  bool signed_zeros = false;     // whether −0 differs from +0
};

// What the two sides are called in messages.
struct Sides {
  std::string_view actual = "actual";
  std::string_view expected = "expected";
};

// The same tensor from runs of the reference under random rounding; asked for only when the bound says too little.
using Samples = std::function<std::vector<Tensor>()>;

// A computed bound above this part of the tensor's scale says nothing about an element.
constexpr double kUsefulBound = 0.01;
// How far from the centre of the samples a conforming value may lie, in spreads of the samples.
constexpr double kSpreads = 6;

// Equal bits; NaN equals NaN whatever its payload.
Verdict CompareExact(const Tensor& actual, const Tensor& expected, const Sides& sides = {});

// Gates kType, kExact and kBound. Throws kFailedPrecondition while float32 may be multiplied as TF32
// (spec/session/tensor_float_32.h), whose products err by other bounds than these. An integer, a string, or a float
// whose bound is zero, must be equal, or equal to what a sample shows (a value that changes discretely is judged per
// outcome). `samples` may be empty.
Verdict Compare(const Tensor& actual, const reference::Value& expected, const Samples& samples,
                const Profile& profile = {}, const Sides& sides = {});

// Types and shapes only.
Verdict CompareType(const Tensor& actual, const Tensor& expected, const Sides& sides = {});

}  // namespace plumb::conformance
