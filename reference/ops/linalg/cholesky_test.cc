#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

// Its second pivot is -3: no rounding makes it positive, so what stands there is no number, and surely so.
TEST(Cholesky, OfWhatIsNotPositiveIsNoNumber) {
  for (const char* const op : {"Cholesky", "BatchCholesky"}) {
    const Value factor =
        KernelCall{.op = op, .inputs = {MakeTensor<double>({2, 2}, {1, 2, 2, 1})}, .accuracy = Composed()}();
    const auto values = factor.tensor.data<double>();
    for (const size_t below : {0, 2, 3}) EXPECT_TRUE(std::isnan(values[below])) << op << " " << below;
    EXPECT_EQ(values[1], 0) << op;
  }
}

TEST(Cholesky, OfWhatIsComplexAndNotPositiveIsZero) {  // as TensorFlow answers
  using Z = std::complex<double>;
  const Tensor matrix = MakeTensor<Z>({2, 2}, {Z(4), Z(3, 4), Z(3, 4), Z(4)});
  const Value factor = KernelCall{.op = "Cholesky", .inputs = {matrix}, .accuracy = Composed()}();
  for (const Z& x : factor.tensor.data<Z>()) EXPECT_EQ(x, Z());
}

TEST(Cholesky, OfWhatIsPositiveIsItsRoot) {
  const Value factor =
      KernelCall{.op = "Cholesky", .inputs = {MakeTensor<double>({2, 2}, {4, 2, 2, 2})}, .accuracy = Composed()}();
  EXPECT_EQ(factor.tensor.data<double>()[0], 2);
  EXPECT_EQ(factor.tensor.data<double>()[2], 1);
  EXPECT_EQ(factor.tensor.data<double>()[3], 1);
}

}  // namespace
}  // namespace plumb::reference
