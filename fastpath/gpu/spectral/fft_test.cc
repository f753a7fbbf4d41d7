#include <complex>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

using Number = std::complex<float>;

// Powers of i: a wave that goes around each four numbers.
Number PowerOfI(int64_t t) {
  constexpr Number kPowers[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  return kPowers[t % 4];
}

// Σ i^t exp(−2πi k t/n) = Σ exp(2πi t (n/4 − k)/n), which is n for k = n/4 and zero for all others. Passes of four and
// of two compute it without rounding: in each, the numbers of a butterfly are a wave as well.
void ExpectSpike(const std::string& op, const Shape& shape, int64_t inner, Number spike) {
  Tensor x(DType::kComplex64, shape);
  int64_t i = 0;
  for (Number& z : x.mutable_data<Number>()) z = PowerOfI(i++ / inner);
  const std::vector<Tensor> y = AnswersTo({op, {x}, {{"Tcomplex", DType::kComplex64}}}, true);
  ASSERT_EQ(y.front().shape(), shape);
  const auto got = y.front().data<Number>();
  for (int64_t at = 0; at < shape.elements(); ++at) {
    const Number wanted = at == shape.elements() / 4 ? spike : Number();
    ASSERT_EQ(got[static_cast<size_t>(at)], wanted) << at << " of " << shape.ToString();
  }
}

// Lines that fit into a block's memory, and longer ones, of an even and of an odd number of passes.
TEST(GpuFft, FindsAWaveInLinesOfEveryLength) {
  for (const int64_t n : {8, 64, 1024, 2048, 4096, 8192}) ExpectSpike("FFT", {n}, 1, static_cast<float>(n));
}

// Along the last axis two equal numbers become their sum and zero.
TEST(GpuFft, FindsAWaveAlongAnOuterAxis) {
  for (const int64_t n : {16, 2048, 4096}) ExpectSpike("FFT2D", {n, 2}, 2, static_cast<float>(2 * n));
}

}  // namespace
}  // namespace plumb::fast
