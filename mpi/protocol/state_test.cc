#include "mpi/protocol/state.h"

#include <gtest/gtest.h>

namespace plumb::dist {
namespace {

SavedState Some() {
  return {{"kernels/draw/philox", MakeVector<uint32_t>({1, 2, 3})},
          {"resources/queue/elements/0/0", MakeVector<std::string>({"a", ""})},
          {"resources/queue/size", MakeScalar<int64_t>(1)},
          {"resources/queue/none", Tensor(DType::kFloat, Shape({0, 3}))}};
}

TEST(SavedStates, ArriveAsTheyWereSent) {
  const SavedState arrived = DecodeState(EncodeState(Some()));
  ASSERT_EQ(arrived.size(), Some().size());
  for (const auto& [name, value] : Some()) EXPECT_TRUE(arrived.at(name).BitwiseEquals(value)) << name;
}

TEST(SavedStates, RefuseEveryTruncation) {
  const std::string whole = EncodeState(Some());
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_THROW(DecodeState(whole.substr(0, size)), Error) << size;
}

}  // namespace
}  // namespace plumb::dist
