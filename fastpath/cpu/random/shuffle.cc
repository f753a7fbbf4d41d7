// RandomShuffle (R78).
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Swaps elements as R78 says: i with i + (next word mod what is left).
template <class T>
void Shuffle(PhiloxWords& words, std::span<T> values) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    std::swap(values[i], values[i + words.Next() % (values.size() - i)]);
  }
}

// R78.
class RandomShuffleKernel : public RandomKernel {
 public:
  using RandomKernel::RandomKernel;

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(0);
    if (value.rank() == 0 || value.elements() <= 1 || value.dim(0) <= 1) {
      return context.SetOutput(0, value);  // R31
    }
    context.CopyGuarded(0);
    const int64_t rows = value.dim(0);
    PhiloxWords words(stream_.Reserve(static_cast<uint64_t>(rows - 1 + 3) / 4));
    std::vector<int64_t> order(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) order[i] = i;
    Shuffle<int64_t>(words, order);
    Tensor& output = context.AllocateOutput(0, value.dtype(), value.shape());
    const int64_t row = value.elements() / rows;
    VisitType(value.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = value.data<T>().data();
      T* to = output.mutable_data<T>().data();
      for (const int64_t source : order) to = std::copy(from + source * row, from + (source + 1) * row, to);
    });
  }
  bool KeepsAliases() const override { return true; }
};

constexpr KernelRow kRows[] = {
    {"RandomShuffle", Make<RandomShuffleKernel>},
};

}  // namespace

std::span<const KernelRow> RandomShuffle() { return kRows; }

}  // namespace plumb::fast::cpu
