#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

const AttrMap kGather = {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}};

TEST(GpuGather, RefusesWhatLiesOutside) {
  const Tensor params = Digits(Shape({4, 3}));
  EXPECT_TRUE(StatusOf({"Gather", {params, VectorOf(std::vector<int32_t>{0, 3})}, kGather}).ok());
  for (const int32_t index : {-1, 4}) {
    const Tensor indices = VectorOf(std::vector<int32_t>{0, index, 3});
    const Status status = StatusOf({"Gather", {params, indices}, kGather});
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_NE(status.message().find("indices[1]"), std::string::npos) << status.message();
    const Status nd = StatusOf({"GatherNd", {params, indices.Reshaped(Shape({3, 1}))}, kGather});
    EXPECT_EQ(nd.code(), Code::kInvalidArgument);
    EXPECT_NE(nd.message().find("index 1"), std::string::npos) << nd.message();
  }
}

}  // namespace
}  // namespace plumb::fast
