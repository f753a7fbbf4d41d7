#include "conformance/suites/lattice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;

TEST(Lattice, IsOfWholeNumbers) {
  EXPECT_TRUE(OnLattice(MakeVector<float>({1, -2, 0})));
  EXPECT_FALSE(OnLattice(MakeVector<float>({1, -2.5F, 0})));
  EXPECT_FALSE(OnLattice(MakeVector<double>({0.5})));
  EXPECT_FALSE(OnLattice(MakeVector<double>({std::numeric_limits<double>::quiet_NaN()})));
  EXPECT_TRUE(OnLattice(MakeVector<std::complex<float>>({{1, 2}})));
  EXPECT_FALSE(OnLattice(MakeVector<std::complex<float>>({{1, 2.5F}})));
  EXPECT_TRUE(OnLattice(MakeVector<float>({})));
}

// Towards zero, and no farther out than 8.
TEST(Lattice, TakesNumbersToTheNearestTowardsZero) {
  EXPECT_THAT(SnappedToLattice(MakeVector<float>({3.75F, -3.75F, 0.5F, 7.5F, 8, 8.5F, 100, -9})).data<float>(),
              ElementsAre(3, -3, 0, 7, 8, 8, 8, -8));
  EXPECT_THAT(SnappedToLattice(MakeVector<double>({3.75, -3.75, 0.5, 7.5, 8, 8.5, 100, -9})).data<double>(),
              ElementsAre(3, -3, 0, 7, 8, 8, 8, -8));
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(SnappedToLattice(MakeVector<float>({inf, -inf})).data<float>(), ElementsAre(8, -8));
}

TEST(Lattice, LeavesWhatItIsGivenAndOtherTypesAlone) {
  const Tensor given = MakeVector<float>({0.5F});
  SnappedToLattice(given);
  EXPECT_EQ(given.data<float>()[0], 0.5F);
  for (const Tensor& other : {MakeVector<int32_t>({100}), MakeVector<Half>({Half(0.5F)}),
                              MakeVector<std::complex<float>>({{0.5F, 9}}), MakeVector<std::string>({"0.5"})}) {
    EXPECT_TRUE(SnappedToLattice(other).BitwiseEquals(other)) << DTypeName(other.dtype());
  }
}

}  // namespace
}  // namespace plumb::conformance
