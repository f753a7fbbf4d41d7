#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/testing/both.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast {
namespace {

// A card's own functions of float err by more than rows grant: what a kernel gives is what double gives, rounded.
void ExpectRoundedDouble(const std::string& op, double (*function)(double), float least, float most) {
  Tensor x(DType::kFloat, Shape({20000}));
  int64_t i = 0;
  for (float& value : x.mutable_data<float>()) value = least + (most - least) * static_cast<float>(i++) / 20000;
  const std::vector<Tensor> got = AnswersTo({op, {x}, {{"T", DType::kFloat}}}, true);
  ASSERT_EQ(got.size(), 1u);
  for (size_t k = 0; k < 20000; ++k) {
    const float wanted = static_cast<float>(function(x.data<float>()[k]));
    ASSERT_EQ(got[0].data<float>()[k], wanted) << op << " of " << x.data<float>()[k];
  }
}

TEST(GpuElementary, FunctionsThatCardsLackDigitsOfAreRoundedFromDouble) {
  ExpectRoundedDouble(
      "Tan", [](double x) { return std::tan(x); }, -20, 20);
  ExpectRoundedDouble(
      "Atanh", [](double x) { return std::atanh(x); }, -0.99F, 0.99F);
  ExpectRoundedDouble(
      "Lgamma", [](double x) { return std::lgamma(x); }, -2.99F, -2.01F);
}

}  // namespace
}  // namespace plumb::fast
