#include "spec/core/choice_point.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

constinit ChoicePoint width("width");
constinit ChoicePoint height("height");

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const Choices::Choice& choice : Choices::Taken()) names.push_back(choice.name);
  return names;
}

TEST(ChoicePoint, TellsWhichSidesWereTaken) {
  Choices::Forget();
  EXPECT_FALSE(width.Chosen(false));
  EXPECT_TRUE(height.Chosen(true));
  const auto taken = Choices::Taken();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].name, "height");
  EXPECT_FALSE(taken[0].small);
  EXPECT_TRUE(taken[0].large);
  EXPECT_EQ(taken[1].name, "width");
  EXPECT_TRUE(taken[1].small);
  EXPECT_FALSE(taken[1].large);
}

TEST(ChoicePoint, IsForgottenAndTakenAgain) {
  width.Chosen(true);
  Choices::Forget();
  EXPECT_EQ(Names(), std::vector<std::string>{});
  width.Chosen(false);
  EXPECT_EQ(Names(), std::vector<std::string>{"width"});
}

TEST(ChoicePoint, PointsOfOneNameAreOne) {
  static constinit ChoicePoint also_width("width");
  Choices::Forget();
  width.Chosen(false);
  also_width.Chosen(true);
  const auto taken = Choices::Taken();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_TRUE(taken[0].small && taken[0].large);
}

TEST(ChoicePoint, ALoopIsNamedAfterItsBody) {
  const auto body = [](int64_t, int64_t) {};
  Choices::Forget();
  loop_in_chunks<decltype(body)>.Chosen(true);
  ASSERT_EQ(Names().size(), 1u);
  EXPECT_EQ(Names()[0].find("loop: "), 0u) << Names()[0];
}

}  // namespace
}  // namespace plumb
