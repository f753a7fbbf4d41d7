// Which wrong cases are made of one that fits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/suites/wrong_inputs_testing.h"
#include "spec/ops/op_def.h"

namespace plumb::conformance {
namespace {

using Floats = std::vector<float>;
using Texts = std::vector<std::string>;
using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

// What the cases have in the place of the attribute's value.
class Values {
 public:
  Values(const std::vector<SampledCase>& cases, const SampledCase& fitting, const std::string& attr) {
    for (const SampledCase& made : cases) {
      if (!(made.attrs.at(attr) == fitting.attrs.at(attr))) values_.push_back(made.attrs.at(attr));
    }
  }
  bool Have(const AttrValue& value) const { return std::find(values_.begin(), values_.end(), value) != values_.end(); }
  size_t size() const { return values_.size(); }

 private:
  std::vector<AttrValue> values_;
};

TEST(WrongCases, VaryAttributesOfEveryKind) {
  const OpDef op = ParseOpRow({.signature = "F() -> ()",
                               .attrs = "f: list(float); s: list(string); t: list(type); p: shape; ps: list(shape); "
                                        "b: bool; m: string in ['a', 'b']"});
  SampledCase fitting;
  fitting.attrs = {{"f", Floats{1, 2}},
                   {"s", Texts{"a", "b"}},
                   {"t", Types{DType::kInt32}},
                   {"p", PartialShape{2}},
                   {"ps", Shapes{PartialShape{2}, PartialShape{3}}},
                   {"b", false},
                   {"m", "a"}};
  const std::vector<SampledCase> cases = WrongInputs(op, fitting);
  const auto of = [&](const char* attr) { return Values(cases, fitting, attr); };
  for (const Floats& other : {Floats{1, 2, 1}, Floats{1}, Floats{}, Floats{-1, 2}, Floats{1, 0}}) {
    EXPECT_TRUE(of("f").Have(other)) << AttrValue(other).ToString();
  }
  for (const Texts& other : {Texts{"a", "b", "a"}, Texts{"a"}, Texts{}, Texts{"?", "b"}, Texts{"a", ""}}) {
    EXPECT_TRUE(of("s").Have(other)) << AttrValue(other).ToString();
  }
  for (const Types& other : {Types{DType::kInt32, DType::kFloat}, Types{}, Types{DType::kString}}) {
    EXPECT_TRUE(of("t").Have(other)) << AttrValue(other).ToString();
  }
  for (const PartialShape& other : {PartialShape::Unknown(), PartialShape{-1}, PartialShape{3}, PartialShape{1, 2}}) {
    EXPECT_TRUE(of("p").Have(other)) << other.ToString();
  }
  EXPECT_TRUE(of("ps").Have(Shapes{PartialShape{2}}));
  EXPECT_TRUE(of("ps").Have(Shapes{PartialShape{2}, PartialShape::Unknown()}));
  EXPECT_TRUE(of("b").Have(true));
  EXPECT_TRUE(of("m").Have("b"));
  EXPECT_TRUE(of("m").Have("?"));
}

// Inputs whose types a list says follow it, and one that is new is a scalar.
TEST(WrongCases, InputsFollowTheListOfTheirTypes) {
  const OpDef op = ParseOpRow({.signature = "F(x: list(t)) -> ()", .attrs = "t: list(type)"});
  SampledCase fitting;
  fitting.attrs = {{"t", Types{DType::kInt32}}};
  fitting.inputs = {MakeVector<int32_t>({1, 2})};
  fitting.freedoms = {Freedom::kThis};
  for (const SampledCase& made : WrongInputs(op, fitting)) {
    const auto& types = *made.attrs.at("t").Get<Types>();
    ASSERT_EQ(made.inputs.size(), types.size()) << made.label;
    for (size_t i = 0; i < types.size(); ++i) EXPECT_EQ(made.inputs[i].dtype(), types[i]) << made.label;
  }
  EXPECT_GT(Values(WrongInputs(op, fitting), fitting, "t").size(), 0u);
}

TEST(WrongCases, ExtremesAreTheEndsOfTheTypeAndOfNarrowerOnes) {
  const OpDef op = ParseOpRow({.signature = "F(x: int32, y: int32) -> ()", .attrs = "n: int; l: list(int)"});
  SampledCase fitting;
  fitting.attrs = {{"n", int64_t{1}}, {"l", std::vector<int64_t>{1, 2}}};
  fitting.inputs = {MakeVector<int32_t>({1, 2}), MakeVector<int32_t>({1, 2})};
  fitting.freedoms = {Freedom::kThis, Freedom::kAny};
  const std::vector<SampledCase> cases = ExtremeInputs(op, fitting);
  for (const int64_t extreme : {int64_t{INT32_MIN}, int64_t{INT32_MAX}, int64_t{1} << 32, INT64_MIN, INT64_MAX}) {
    EXPECT_TRUE(Values(cases, fitting, "n").Have(extreme)) << extreme;
    EXPECT_TRUE(Values(cases, fitting, "l").Have(std::vector<int64_t>{1, extreme})) << extreme;
  }
  for (const int32_t extreme : {INT32_MIN, INT32_MIN + 1, INT32_MAX}) {
    for (const Tensor& input : {MakeVector<int32_t>({extreme, 2}), MakeVector<int32_t>({1, extreme})}) {
      EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const SampledCase& made) {
        return made.inputs[0].BitwiseEquals(input);
      })) << extreme;
    }
  }
  for (const SampledCase& made : cases) EXPECT_TRUE(made.inputs[1].BitwiseEquals(fitting.inputs[1])) << made.label;
}

}  // namespace
}  // namespace plumb::conformance
