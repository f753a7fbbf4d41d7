#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

template <class Q>
std::vector<int> CodesOf(const Tensor& tensor) {
  std::vector<int> codes;
  for (const Q code : tensor.data<Q>()) codes.push_back(code.value);
  return codes;
}

// Whole vectors of channels, the last of which may overlap the one before it, or single channels.
template <class Q>
void ExpectPoolsOfEveryDepth(DType type, int low) {
  for (int depth = 1; depth <= 140; ++depth) {
    std::vector<int> codes, most, means;
    for (int i = 0; i < 3 * depth; ++i) codes.push_back(low + i * 89 % 256);
    for (int c = 0; c < depth; ++c) {
      const int a = codes[static_cast<size_t>(c)], b = codes[static_cast<size_t>(c + depth)];
      const int third = codes[static_cast<size_t>(c + 2 * depth)];
      most.push_back(std::max({a, b, third}));
      means.push_back((a + b + third) / 3);
    }
    Tensor x(type, {1, 3, 1, depth});
    for (size_t i = 0; i < codes.size(); ++i) x.mutable_data<Q>()[i].value = static_cast<decltype(Q::value)>(codes[i]);
    const std::vector<int64_t> ksize = {1, 3, 1, 1}, strides = {1, 1, 1, 1};
    const AttrMap attrs = {{"T", type}, {"ksize", ksize}, {"strides", strides}, {"padding", "VALID"}};
    ASSERT_EQ(CodesOf<Q>(RunKernel("QuantizedMaxPool", {x, MakeScalar(0.0F), MakeScalar(1.0F)}, attrs)[0]), most)
        << depth;
    ASSERT_EQ(CodesOf<Q>(RunKernel("QuantizedAvgPool", {x, MakeScalar(0.0F), MakeScalar(1.0F)}, attrs)[0]), means)
        << depth;
  }
}
TEST(PoolLoops, TakesChannelsOfEveryNumber) {
  ExpectPoolsOfEveryDepth<Qint8>(DType::kQint8, -128);
  ExpectPoolsOfEveryDepth<Quint8>(DType::kQuint8, 0);
}

}  // namespace
}  // namespace plumb::fast::cpu
