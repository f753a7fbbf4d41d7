// Points of Sobol's sequence, each from its Gray code.
#include <limits>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/ops/random/sobol_numbers.h"

namespace plumb::reference {
namespace {

constexpr size_t kDigits = 31;  // of the greatest point that there may be

// Direction numbers m₁, m₂, … of a dimension; mₖ / 2ᵏ is a fraction.
std::vector<uint64_t> DirectionsOf(const SobolStart& start) {
  if (start.numbers.empty()) return std::vector<uint64_t>(kDigits, 1);
  std::vector<uint64_t> numbers(start.numbers.begin(), start.numbers.end());
  const size_t degree = numbers.size();
  for (size_t k = degree; k < kDigits; ++k) {
    uint64_t number = numbers[k - degree];
    for (size_t i = 1; i <= degree; ++i) {
      if ((start.polynomial >> (degree - i) & 1) != 0) number ^= numbers[k - i] << i;
    }
    numbers.push_back(number);
  }
  return numbers;
}

Real Coordinate(const std::vector<uint64_t>& directions, uint64_t point) {
  const uint64_t gray = point ^ point >> 1;
  uint64_t sum = 0;
  for (size_t k = 0; k < kDigits; ++k) {
    if ((gray >> k & 1) != 0) sum ^= directions[k] << (kDigits - 1 - k);
  }
  return {static_cast<double>(sum) / static_cast<double>(uint64_t{1} << kDigits), 0, 0};
}

void SobolSample(OpContext& c) {
  for (int i = 0; i < 3; ++i) {
    Require(c.tensor(i).rank() == 0, "input ", i, " must be a scalar, not of shape ", c.tensor(i).shape().ToString());
  }
  const int64_t dimensions = IntegerOf(c.tensor(0), "dim"), count = IntegerOf(c.tensor(1), "num_results"),
                skip = IntegerOf(c.tensor(2), "skip");
  const std::vector<SobolStart>& starts = SobolStarts();
  Require(1 <= dimensions && dimensions <= std::ssize(starts), "dim must be between 1 and ", starts.size(), ", not ",
          dimensions);
  Require(count >= 1 && skip >= 0, "num_results must be positive and skip not negative; they are ", count, " and ",
          skip);
  Require(count + skip < std::numeric_limits<int32_t>::max(), "point ", count + skip, " is beyond the sequence");
  auto samples = MakeArray<Real>(c.output_type(0), {count, dimensions});
  for (int64_t j = 0; j < dimensions; ++j) {
    const std::vector<uint64_t> directions = DirectionsOf(starts[static_cast<size_t>(j)]);
    for (int64_t i = 0; i < count; ++i) {
      samples[i * dimensions + j] = Coordinate(directions, static_cast<uint64_t>(skip + 1 + i));
    }
  }
  c.Output(0, Store(samples));
}

constexpr KernelRow kRows[] = {
    {"SobolSample", SobolSample},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomSobol() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
