// What laws hold answers against: a law is worth what its judge sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <functional>

#include "client/scope.h"
#include "conformance/suites/ops_testing.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/concurrent_steps.h"
#include "property-tests/to_the_bit.h"

namespace plumb::property {
namespace {

using testing::UnorderedElementsAre;

// Whether a law that says this is broken, in the one case that is tried.
bool Breaks(const std::function<void()>& law) {
  rc::detail::TestParams params;
  params.maxSuccess = 1;
  rc::detail::TestListenerAdapter nobody_told;
  return !rc::detail::checkTestable(law, rc::detail::TestMetadata(), params, nobody_told)
              .is<rc::detail::SuccessResult>();
}

// Values of several types, some with bounds of their own.
std::vector<std::string> AddValues(Scope& scope) {
  const Output thirds = Constant<float>(scope, {1.0F / 3, 2.0F / 3, 5.0F / 3});
  const Output words = Constant<int32_t>(scope, {4, 5});
  std::vector<std::string> names;
  for (const Output& value : {thirds * thirds, words, scope.Call("Exp", {thirds}), words + words}) {
    names.push_back(value.name());
  }
  return names;
}

// Far enough for any bound.
void Spoil(Tensor& tensor, int64_t element) {
  tensor = tensor.Clone();
  const auto at = static_cast<size_t>(element);
  if (tensor.dtype() == DType::kFloat) {
    tensor.mutable_data<float>()[at] += 1;
  } else {
    tensor.mutable_data<int32_t>()[at] += 1;
  }
}

TEST(Judges, SeeWhatIsNotAllowedInEveryElementOfEveryFetch) {
  Scope scope;
  const std::vector<std::string> fetches = AddValues(scope);
  conformance::Oracle oracle(scope.ToGraphDef());
  std::vector<reference::Value> allowed;
  ASSERT_TRUE(oracle.Run({{}, fetches, {}}, &allowed).ok());
  std::vector<Tensor> values;
  for (const reference::Value& value : allowed) values.push_back(value.tensor);
  const auto breaks = [&](const std::vector<Tensor>& answers) {
    return Breaks([&] { CheckAllowed(answers, allowed, fetches, oracle); });
  };
  EXPECT_FALSE(breaks(values));
  for (size_t i = 0; i < values.size(); ++i) {
    for (int64_t element = 0; element < values[i].elements(); ++element) {
      std::vector<Tensor> others = values;
      Spoil(others[i], element);
      EXPECT_TRUE(breaks(others)) << fetches[i] << ", element " << element;
    }
  }
  EXPECT_TRUE(breaks({values.begin(), values.end() - 1})) << "one is missing";
  values.push_back(values.back());
  EXPECT_TRUE(breaks(values)) << "there is one more";
}

// Of answers to the bit, the lowest bit of each that is given in any step; and each step's status.
TEST(Judges, SeeEveryBitOfEveryStep) {
  Scope scope;
  const std::vector<std::string> fetches = AddValues(scope);
  const RandomSession session{scope.ToGraphDef(), {{{}, fetches, {}}, {{}, {fetches[0], fetches[1]}, {}}}};
  const auto breaks = [&](const conformance::Mistake& mistake) {
    conformance::Oracle oracle(session.graph);
    conformance::Mistaken mistaken(mistake);
    return Breaks([&] { CheckToTheBit(session, mistaken, oracle); });
  };
  EXPECT_FALSE(breaks({}));
  const int answers = static_cast<int>(fetches.size()) + 2;
  for (int spoilt = 0; spoilt < answers; ++spoilt) {
    int next = 0;
    const auto spoil = [&](Tensor& tensor) {
      if (next++ == spoilt) static_cast<unsigned char*>(tensor.mutable_raw())[0] ^= 1;
    };
    EXPECT_TRUE(breaks({.spoil = spoil})) << "answer " << spoilt;
    EXPECT_GT(next, spoilt);
  }
  EXPECT_TRUE(breaks({.answer = Status(Code::kAborted, "not now")}));
}

// One variable, which is 1 at first, and steps of effects that wait for those before them.
std::set<Outcome> OutcomesOf(const std::vector<std::vector<Effect>>& steps) {
  ConcurrentCase concurrent;
  concurrent.initial = {1};
  for (const std::vector<Effect>& effects : steps) {
    ConcurrentStep& step = concurrent.steps.emplace_back();
    for (Effect effect : effects) {
      for (int before = 0; before < static_cast<int>(step.effects.size()); ++before) effect.after.push_back(before);
      step.effects.push_back(effect);
    }
  }
  return AllowedOutcomes(concurrent);
}
Effect Of(Effect::Kind kind, int64_t amount = 0) { return {kind, 0, amount, {}}; }

// By hand: what reads gave, then what the variable holds.
TEST(Judges, AllowOfStepsAtOnceWhatSomeOrderLeaves) {
  using enum Effect::Kind;
  EXPECT_THAT(OutcomesOf({{Of(kAdd, 2)}, {Of(kAdd, 3)}}), UnorderedElementsAre(Outcome{6}));
  EXPECT_THAT(OutcomesOf({{Of(kAddUnlocked, 2)}, {Of(kAddUnlocked, 3)}}),
              UnorderedElementsAre(Outcome{3}, Outcome{4}, Outcome{6}));
  EXPECT_THAT(OutcomesOf({{Of(kAdd, 2)}, {Of(kAddUnlocked, 3)}}), UnorderedElementsAre(Outcome{4}, Outcome{6}));
  EXPECT_THAT(OutcomesOf({{Of(kAssign, 5)}, {Of(kAdd, 2)}}), UnorderedElementsAre(Outcome{5}, Outcome{7}));
  EXPECT_THAT(OutcomesOf({{Of(kAssign, 5), Of(kAdd, 2)}}), UnorderedElementsAre(Outcome{7}));
  EXPECT_THAT(OutcomesOf({{Of(kAdd, 2)}, {Of(kRead)}}), UnorderedElementsAre(Outcome{1, 3}, Outcome{3, 3}));
  EXPECT_THAT(OutcomesOf({{Of(kAssign, 5), Of(kRead)}, {Of(kAdd, 2)}}),
              UnorderedElementsAre(Outcome{5, 5}, Outcome{5, 7}, Outcome{7, 7}));
}

}  // namespace
}  // namespace plumb::property
