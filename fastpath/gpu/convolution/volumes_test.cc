#include <limits>

#include "fastpath/gpu/convolution/by_engines_testing.h"

namespace plumb::fast {
namespace {

using Ints = std::vector<int64_t>;

AttrMap Slid(const std::string& format, Ints strides = {1, 1, 1, 1, 1}) {
  return {
      {"T", DType::kFloat}, {"strides", std::move(strides)}, {"padding", std::string("SAME")}, {"data_format", format}};
}
AttrMap Pooled(const std::string& format, Ints ksize, Ints strides) {
  AttrMap attrs = Slid(format, std::move(strides));
  attrs["ksize"] = std::move(ksize);
  return attrs;
}
Tensor Listed(const Shape& shape) {
  std::vector<int32_t> dims;
  for (const int64_t dim : shape.dims()) dims.push_back(static_cast<int32_t>(dim));
  return VectorOf(dims);
}

TEST(GpuVolumes, AreConvolvedInBothFormats) {
  const Shape filter{2, 3, 2, 3, 4};
  for (const bool channels_first : {false, true}) {
    const Shape volumes = channels_first ? Shape{2, 3, 4, 5, 6} : Shape{2, 4, 5, 6, 3};
    const Shape output = channels_first ? Shape{2, 4, 4, 5, 6} : Shape{2, 4, 5, 6, 4};
    const AttrMap attrs = Slid(channels_first ? "NCDHW" : "NDHWC");
    AttrMap to_input = attrs;
    to_input["Tshape"] = DType::kInt32;
    ExpectSameByEachEngine({"Conv3D", {Digits(volumes), Digits(filter)}, attrs});
    ExpectSameByEachEngine({"Conv3DBackpropInputV2", {Listed(volumes), Digits(filter), Digits(output)}, to_input});
    ExpectSameByEachEngine({"Conv3DBackpropFilterV2", {Digits(volumes), Listed(filter), Digits(output)}, attrs});
    if (channels_first) continue;
    const AttrMap older = {{"T", DType::kFloat}, {"strides", Ints{1, 1, 1, 1, 1}}, {"padding", std::string("SAME")}};
    ExpectSameByEachEngine({"Conv3DBackpropInput", {Digits(volumes), Digits(filter), Digits(output)}, older});
    ExpectSameByEachEngine({"Conv3DBackpropFilter", {Digits(volumes), Digits(filter), Digits(output)}, older});
  }
}

TEST(GpuVolumes, AreConvolvedWithSpreadWindowsInSteps) {
  AttrMap attrs = Slid("NDHWC", {1, 1, 2, 1, 1});
  attrs["padding"] = std::string("VALID");
  attrs["dilations"] = Ints{1, 2, 1, 3, 1};
  const Shape volumes{2, 5, 6, 8, 2}, filter{2, 2, 3, 2, 3}, output{2, 3, 3, 2, 3};
  ExpectSameByEachEngine({"Conv3D", {Digits(volumes), Digits(filter)}, attrs});
  ExpectSameByEachEngine({"Conv3DBackpropFilterV2", {Digits(volumes), Listed(filter), Digits(output)}, attrs});
}

TEST(GpuVolumes, AreDifferentiatedWithAnEmptyFilter) {
  const Shape volumes{1, 2, 2, 2, 1}, filter{1, 0, 1, 1, 3}, output{1, 2, 2, 2, 3};
  const AttrMap attrs = Slid("NDHWC");
  AttrMap to_input = attrs;
  to_input["Tshape"] = DType::kInt32;
  ExpectSameOnBoth({"Conv3DBackpropInputV2", {Listed(volumes), Digits(filter), Digits(output)}, to_input});
  ExpectSameOnBoth({"Conv3DBackpropFilterV2", {Digits(volumes), Listed(filter), Digits(output)}, attrs});
  EXPECT_EQ(StatusOf({"Conv3D", {Digits(volumes), Digits(filter)}, attrs}).code(), Code::kInvalidArgument);
}

TEST(GpuVolumes, ArePooledInBothFormats) {
  const Shape volumes{2, 5, 4, 7, 3}, output{2, 3, 2, 4, 3};
  const AttrMap attrs = Pooled("NDHWC", {1, 2, 2, 2, 1}, {1, 2, 2, 2, 1});
  AttrMap grad = attrs;
  grad["TInput"] = DType::kFloat;
  ExpectSameOnBoth({"MaxPool3D", {Digits(volumes, 1000)}, attrs});
  ExpectSameOnBoth({"MaxPool3DGrad", {Digits(volumes, 3), Digits(output, 3), Digits(output)}, grad});
  ExpectSameOnBoth({"MaxPool3DGradGrad", {Digits(volumes, 3), Digits(output, 3), Digits(volumes)}, attrs});
  ExpectSameOnBoth({"AvgPool3D", {Digits(volumes)}, attrs});
  ExpectSameOnBoth({"AvgPool3DGrad", {Listed(volumes), Digits(output)}, attrs});
  const AttrMap first = Pooled("NCDHW", {1, 1, 2, 2, 2}, {1, 1, 2, 2, 2});
  ExpectSameOnBoth({"MaxPool3D", {Digits({2, 3, 5, 4, 7}, 1000)}, first});
  ExpectSameOnBoth({"AvgPool3D", {Digits({2, 3, 5, 4, 7})}, first});
}

TEST(GpuVolumes, AreRefusedAsOnTheCpu) {
  const Tensor x = Digits({1, 2, 2, 2, 1});
  const auto code = [&](const char* op, const char* format, Ints ksize) {
    return StatusOf({op, {x}, Pooled(format, std::move(ksize), {1, 1, 1, 1, 1})}).code();
  };
  EXPECT_EQ(code("AvgPool3D", "NDHWC", {0, 1, 1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code("MaxPool3D", "NDHWC", {2, 1, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPool3D", "NCDHW", {1, 2, 2, 2, 1}), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"Conv3D", {x, Digits({1, 1, 1, 1, 1})}, Slid("NDHWC", {2, 1, 1, 1, 1})}).code(),
            Code::kInvalidArgument);
}

// Of windows without a sum above the least number, the gradient goes to the first element, which a spread window need
// not see.
TEST(GpuDilation, SendsWhatNoSumTookToTheFirstPlace) {
  Tensor low(DType::kFloat, {1, 3, 4, 2});
  for (float& value : low.mutable_data<float>()) value = -std::numeric_limits<float>::infinity();
  const AttrMap attrs = {{"T", DType::kFloat},
                         {"strides", Ints{1, 1, 2, 1}},
                         {"rates", Ints{1, 2, 2, 1}},
                         {"padding", std::string("SAME")}};
  for (const char* const op : {"Dilation2DBackpropInput", "Dilation2DBackpropFilter"}) {
    for (const Tensor& x : {low, Digits({1, 3, 4, 2}, 2)}) {
      ExpectSameOnBoth({op, {x, Digits({2, 2, 2}), Digits({1, 3, 2, 2})}, attrs});
    }
  }
}

}  // namespace
}  // namespace plumb::fast
