// The largest code of each window, and the mean of its codes.
#include "reference/numbers/index.h"
#include "reference/ops/lib/pooling.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

template <class Pick>
void Pool(OpContext& c, const Pooling& pool, Pick pick) {
  const Real min = ScalarFloat(c, 1), max = ScalarFloat(c, 2);
  const Reader<Integer> input(c.input(0));
  Writer<Integer> output(c.output_type(0), pool.output_shape());
  ForEachWindow(pool, [&](int64_t place, const std::vector<int64_t>& window) {
    std::vector<int64_t> codes;
    for (const int64_t i : window) codes.push_back(static_cast<int64_t>(input[i]));
    output.Set(place, Integer(pick(codes)));
  });
  c.Output(0, output.Take());
  OutputFloat(c, 1, min);
  OutputFloat(c, 2, max);
}

void MaxPool(OpContext& c) {
  Pool(c, PoolingOf(c, c.tensor(0).shape()),
       [](const std::vector<int64_t>& codes) { return *std::max_element(codes.begin(), codes.end()); });
}
// Integers are divided towards zero.
void AvgPool(OpContext& c) {
  const Pooling pool = PoolingOf(c, c.tensor(0).shape());
  CheckPlane(c, pool);
  Pool(c, pool, [](const std::vector<int64_t>& codes) {
    int64_t sum = 0;
    for (const int64_t code : codes) sum += code;
    return sum / std::ssize(codes);
  });
}

constexpr KernelRow kRows[] = {
    {"QuantizedMaxPool", MaxPool, CheckMaxPooling},
    {"QuantizedAvgPool", AvgPool, CheckBatchPooling},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
