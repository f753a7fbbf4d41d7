// SobolSample: a point of Sobol's sequence differs from the one before it by one direction number in each dimension.
#include <bit>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "spec/ops/random/sobol_numbers.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kDigits = 31;  // of the greatest point that there may be

// [digit][dimension]: direction numbers with 32 bits behind the point.
std::vector<uint32_t> DirectionsOf(int64_t dimensions) {
  std::vector<uint32_t> directions(static_cast<size_t>(kDigits * dimensions));
  for (int64_t j = 0; j < dimensions; ++j) {
    const SobolStart& start = SobolStarts()[static_cast<size_t>(j)];
    const int degree = static_cast<int>(start.numbers.size());
    const auto at = [&](int k) -> uint32_t& { return directions[static_cast<size_t>(k * dimensions + j)]; };
    for (int k = 0; k < kDigits; ++k) {
      if (degree == 0 || k < degree) {
        at(k) = (degree == 0 ? 1 : start.numbers[static_cast<size_t>(k)]) << (31 - k);
      } else {
        at(k) = at(k - degree) >> degree;
        for (int i = 1; i <= degree; ++i) at(k) ^= at(k - i) & (0 - (start.polynomial >> (degree - i) & 1));
      }
    }
  }
  return directions;
}

template <class T>
class SobolKernel final : public Kernel {
 public:
  explicit SobolKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const int64_t dimensions = ScalarOf(context, 0), count = ScalarOf(context, 1), skip = ScalarOf(context, 2);
    const auto most = static_cast<int64_t>(SobolStarts().size());
    Require(1 <= dimensions && dimensions <= most, "dim must be between 1 and ", most, ", not ", dimensions);
    Require(count >= 1 && skip >= 0, "num_results ", count, " must be positive and skip ", skip, " not negative");
    Require(count + skip < std::numeric_limits<int32_t>::max(), "point ", count + skip, " is beyond the sequence");
    T* const out = context.AllocateOutput(0, DTypeOf<T>, {count, dimensions}).template mutable_data<T>().data();
    const std::vector<uint32_t> directions = DirectionsOf(dimensions);
    context.pool().ParallelFor(count, GrainFor(2 * dimensions), [&](int64_t begin, int64_t end) {
      Fill(directions, dimensions, static_cast<uint32_t>(skip + 1 + begin), out + begin * dimensions,
           out + end * dimensions);
    });
  }

 private:
  int64_t ScalarOf(const KernelContext& context, int i) const {
    const Tensor& tensor = context.input(i);
    Require(tensor.rank() == 0, "input ", i, " must be a scalar, not of shape ", Printed(tensor.shape()));
    return IntAt(tensor, 0);
  }

  // Points `point`, point + 1, …
  static void Fill(const std::vector<uint32_t>& directions, int64_t dimensions, uint32_t point, T* out, T* end) {
    std::vector<uint32_t> sums(static_cast<size_t>(dimensions));
    const auto add = [&](int digit) {
      const uint32_t* const row = directions.data() + digit * dimensions;
      for (int64_t j = 0; j < dimensions; ++j) sums[static_cast<size_t>(j)] ^= row[j];
    };
    for (uint32_t gray = point ^ point >> 1; gray != 0; gray &= gray - 1) add(std::countr_zero(gray));
    while (true) {
      for (const uint32_t sum : sums) *out++ = static_cast<T>(sum) * T(0x1p-32);
      if (out == end) return;
      add(std::countr_one(point++));
    }
  }
};

constexpr KernelRow kRows[] = {
    {"SobolSample", MakeFor<SobolKernel, Types<float, double>>},
};

}  // namespace

std::span<const KernelRow> RandomSobol() { return kRows; }

}  // namespace plumb::fast::cpu
