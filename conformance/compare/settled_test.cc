// What is left of bounds when it is settled which of several right answers one looks at: by hand, kind by kind.
#include <gtest/gtest.h>

#include <complex>

#include "conformance/compare/equivalence.h"

namespace plumb::conformance {
namespace {

using Numbers = std::vector<double>;

constexpr double kRest = 0.25;                                 // of each bound, besides what is open
constexpr double kEpsilon = 0x1p-52, kFloatEpsilon = 0x1p-23;  // of the two types

reference::Value WithBounds(Tensor tensor, Numbers bounds) {
  return {std::move(tensor), std::make_shared<const Numbers>(std::move(bounds)), nullptr};
}
// The bounds that are left of `kRest` and what is said to be open. Two roundings of that come back.
void ExpectOpen(Equivalence equivalence, const Shape& shape, const Numbers& elements, const Numbers& open) {
  Numbers bounds, left;
  for (const double by : open) {
    bounds.push_back(by + kRest);
    left.push_back(kRest + 2 * kEpsilon * by);
  }
  const Tensor tensor = MakeTensor<double>(shape, std::span<const double>(elements));
  EXPECT_EQ(*Settled(WithBounds(tensor, bounds), equivalence).bound, left) << static_cast<int>(equivalence);
}

TEST(Settled, ASignIsTwiceTheComponent) {
  for (const Equivalence each : {Equivalence::kColumnsUpToPhase, Equivalence::kColumnsUpToSamePhase}) {
    ExpectOpen(each, {2, 2}, {0.5, -2, 4, 0}, {1, 4, 8, 0});
  }
}

TEST(Settled, ValuesAboveTheVectorsOfEachMatrixHaveTheirSign) {
  ExpectOpen(Equivalence::kColumnsBelowValuesUpToPhase, {2, 3, 2}, {7, -8, 1, 2, 3, 4, 9, 10, -1, -2, -3, -4},
             {0, 0, 2, 4, 6, 8, 0, 0, 2, 4, 6, 8});
}

// The farthest of the row, wherever it stands in it.
TEST(Settled, AnOrderIsTheDistanceToTheOthersOfTheRow) {
  ExpectOpen(Equivalence::kElementsInAnyOrder, {2, 3}, {1, 4, 2, 8, 0.5, 8}, {3, 3, 2, 7.5, 7.5, 7.5});
  ExpectOpen(Equivalence::kElementsInAnyOrder, {}, {3}, {0});
}

// Of columns that may change places and signs, the component and the largest of its row, itself at least.
TEST(Settled, AnOrderOfColumnsIsTheLargestSumInTheRow) {
  ExpectOpen(Equivalence::kColumnsInSameOrderUpToPhase, {2, 3}, {1, -4, 2, 0.5, 0, 8}, {5, 8, 6, 8.5, 8, 16});
}

TEST(Settled, NoBoundIsBelowTheRoundingOfWhatIsOpen) {
  const reference::Value value = WithBounds(MakeTensor<double>({1, 1}, {3}), {5});  // less than twice 3
  EXPECT_EQ(*Settled(value, Equivalence::kColumnsUpToPhase).bound, Numbers{2 * kEpsilon * 6});
}

// |3 + 4i| is 5. The parts have bounds of their own, in units of their own type.
TEST(Settled, BothPartsOfAComplexNumberAreOpenByItsSize) {
  using Complex = std::complex<float>;
  const reference::Value value = WithBounds(MakeTensor<Complex>({1, 2}, {{3, 4}, {0, 1}}), {10.25, 10.5, 3, 2.5});
  EXPECT_EQ(*Settled(value, Equivalence::kColumnsUpToPhase).bound,
            (Numbers{0.25 + 2 * kFloatEpsilon * 10, 0.5 + 2 * kFloatEpsilon * 10, 1 + 2 * kFloatEpsilon * 2,
                     0.5 + 2 * kFloatEpsilon * 2}));
}

TEST(Settled, WhatIsExactOrUniqueStaysAsItIs) {
  const reference::Value unique = WithBounds(MakeTensor<double>({1, 1}, {3}), {7});
  EXPECT_EQ(Settled(unique, Equivalence::kNone).bound, unique.bound);
  EXPECT_EQ(Settled(reference::Value(MakeScalar<double>(1)), Equivalence::kColumnsUpToPhase).bound, nullptr);
}

}  // namespace
}  // namespace plumb::conformance
