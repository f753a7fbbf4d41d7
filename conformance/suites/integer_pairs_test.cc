// Whole numbers at the ends of their types as both operands of what takes two, each pair of them: cpu answers as the
// reference does. A processor that is asked for the least of them divided by -1 stops the program (rule N9).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/backends.h"
#include "conformance/suites/variants.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

// Whether the op makes one value of two of the type T.
bool IsOfPairs(const OpDef& op) {
  const auto is_operand = [](const ArgDef& arg) {
    return arg.type_attr == "T" && arg.number_attr.empty() && !arg.is_ref;
  };
  return !op.is_stateful && op.inputs.size() == 2 && op.outputs.size() == 1 && is_operand(op.inputs[0]) &&
         is_operand(op.inputs[1]) && !op.outputs[0].is_ref;
}

// Of all pairs the first of each; with `with_zero`, each beside zero.
struct Pairs {
  Tensor first, second;
};
template <class T>
Pairs PairsOf(DType type, bool with_zero) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> ends = {static_cast<T>(Limits::min() + 1), static_cast<T>(Limits::max() / 2), Limits::max(), 2};
  if (std::is_signed_v<T>) ends.insert(ends.end(), {Limits::min(), static_cast<T>(-1), static_cast<T>(-2)});
  std::vector<T> first, second;
  for (const T a : ends) {
    for (const T b : with_zero ? std::vector<T>{0} : ends) {
      first.push_back(a);
      second.push_back(b);
    }
  }
  const Shape shape = {static_cast<int64_t>(first.size())};
  Pairs pairs{Tensor(type, shape), Tensor(type, shape)};
  std::copy(first.begin(), first.end(), pairs.first.mutable_data<T>().begin());
  std::copy(second.begin(), second.end(), pairs.second.mutable_data<T>().begin());
  return pairs;
}

// What an op answers.
struct Answered {
  Status status;
  std::vector<Tensor> outputs;
};
Answered AnswerOf(std::string_view backend, const OpDef& op, const AttrMap& types, const Pairs& pairs) {
  Answered answered;
  const auto session = OpenSession(backend);
  answered.status = session->Extend(MakeGraph(
      {MakeConst("a", pairs.first), MakeConst("b", pairs.second), MakeNode("y", op.name, {"a", "b"}, types)}));
  if (!answered.status.ok()) return answered;
  answered.status = session->Run({.timeout_ms = 60'000}, {}, {{"y"}}, {}, &answered.outputs, nullptr);
  return answered;
}

// How many ops of the type answered.
template <class T>
int AnsweredAlike(DType type) {
  int answers = 0;
  for (const OpDef* op : AllOps()) {
    if (!IsOfPairs(*op)) continue;
    const AttrMap types = {{"T", type}};
    if (!IsDeclared(*op, types, FindBackend("cpu"))) continue;
    for (const bool with_zero : {false, true}) {
      const Pairs pairs = PairsOf<T>(type, with_zero);
      const Answered expected = AnswerOf("reference", *op, types, pairs), actual = AnswerOf("cpu", *op, types, pairs);
      const std::string what = Str(op->name, " of ", DTypeName(type), with_zero ? " and zero" : "");
      EXPECT_EQ(actual.status.code(), expected.status.code()) << what << ": " << actual.status.ToString();
      if (!actual.status.ok() || !expected.status.ok()) continue;
      EXPECT_TRUE(actual.outputs.at(0).BitwiseEquals(expected.outputs.at(0))) << what;
      answers += with_zero ? 0 : 1;
    }
  }
  return answers;
}

TEST(IntegerPairs, OfEndsAreAnsweredAlike) {
  constexpr int kPlain = 5;  // sum, difference, product, quotient, remainder
  EXPECT_GT(AnsweredAlike<int8_t>(DType::kInt8), kPlain);
  EXPECT_GT(AnsweredAlike<int16_t>(DType::kInt16), kPlain);
  EXPECT_GT(AnsweredAlike<int32_t>(DType::kInt32), kPlain);
  EXPECT_GT(AnsweredAlike<int64_t>(DType::kInt64), kPlain);
  EXPECT_GT(AnsweredAlike<uint8_t>(DType::kUint8), kPlain);
  EXPECT_GT(AnsweredAlike<uint16_t>(DType::kUint16), kPlain);
  EXPECT_GT(AnsweredAlike<uint32_t>(DType::kUint32), kPlain);
  EXPECT_GT(AnsweredAlike<uint64_t>(DType::kUint64), kPlain);
}

}  // namespace
}  // namespace plumb::conformance
