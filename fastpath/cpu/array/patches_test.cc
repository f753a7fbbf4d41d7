#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;
using L = std::vector<int64_t>;

AttrMap Windows(const L& ksizes, const L& strides, const L& rates, const std::string& padding) {
  return {{"ksizes", ksizes}, {"strides", strides}, {"rates", rates}, {"padding", padding}};
}

TEST(ImagePatches, ShowWhatTheWindowSees) {
  const Tensor image = Iota({1, 2, 3, 1});  // 0 1 2 / 3 4 5
  const L one = {1, 1, 1, 1}, two = {1, 2, 2, 1};
  const Tensor valid = RunKernel1("ExtractImagePatches", {image}, Windows(two, one, one, "VALID"));
  EXPECT_EQ(valid.shape(), Shape({1, 1, 2, 4}));
  EXPECT_EQ(Ints(valid), (I{0, 1, 3, 4, 1, 2, 4, 5}));
  const Tensor same = RunKernel1("ExtractImagePatches", {image}, Windows(two, two, one, "SAME"));
  EXPECT_EQ(Ints(same), (I{0, 1, 3, 4, 2, 0, 5, 0})) << "zero beyond the image";
  const Tensor apart = RunKernel1("ExtractImagePatches", {image}, Windows({1, 1, 2, 1}, one, two, "VALID"));
  EXPECT_EQ(Ints(apart), (I{0, 2, 3, 5}));
}

TEST(ImagePatches, RefuseWhatIsNoWindow) {
  const Tensor image = Iota({1, 2, 3, 1});
  const L one = {1, 1, 1, 1};
  const auto code = [&](const L& ksizes, const L& strides) {
    return CodeOfKernel("ExtractImagePatches", {image}, Windows(ksizes, strides, one, "VALID"));
  };
  EXPECT_EQ(code({1, 1, 1, 2}, one), Code::kUnimplemented);
  EXPECT_EQ(code({1, 1, 1, int64_t{1} << 31}, one), Code::kInvalidArgument) << "beyond int32";
  EXPECT_EQ(code({1, 0, 1, 1}, one), Code::kOutOfRange);
  EXPECT_EQ(code(one, {1, 1, -1, 1}), Code::kOutOfRange);
  EXPECT_EQ(code({1, 9, 1, 1}, one), Code::kInvalidArgument);
}

// Of four rows one place is taken, the second: one row is left out in front of it and two behind. Images begin at the
// first.
TEST(VolumePatches, LieInTheMiddleOfWhatTheyLeaveOut) {
  const Tensor volume = Iota({1, 1, 4, 3, 1});
  const AttrMap attrs = {{"ksizes", L{1, 1, 1, 1, 1}}, {"strides", L{1, 1, 5, 4, 1}}, {"padding", std::string("SAME")}};
  EXPECT_EQ(Ints(RunKernel1("ExtractVolumePatches", {volume}, attrs)), (I{4}));
  const AttrMap image = Windows({1, 1, 1, 1}, {1, 5, 4, 1}, {1, 1, 1, 1}, "SAME");
  EXPECT_EQ(Ints(RunKernel1("ExtractImagePatches", {Iota({1, 4, 3, 1})}, image)), (I{0}));
}

}  // namespace
}  // namespace plumb::fast::cpu
