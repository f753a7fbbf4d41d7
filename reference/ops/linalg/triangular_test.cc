#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

// TensorFlow looks at no diagonal before it substitutes (MatrixTriangularSolveOp).
TEST(MatrixTriangularSolve, DividesByAZeroOnTheDiagonal) {
  const Value triangle = MakeTensor<float>({2, 2}, {0, 0, 2, 1}), side = MakeTensor<float>({2, 1}, {1, 3});
  const Value x = KernelCall{"MatrixTriangularSolve", {triangle, side}, {{"lower", true}, {"adjoint", false}}}();
  EXPECT_THAT(Floats(x), ElementsAre(INFINITY, -INFINITY));
}

}  // namespace
}  // namespace plumb::reference
