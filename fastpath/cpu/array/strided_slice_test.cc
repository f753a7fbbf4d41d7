#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/int_tensors.h"
#include "fastpath/cpu/lib/testing/kernel_harness.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(StridedSlice, FollowsMasksAndNegativeStrides) {
  const Tensor x = Iota({3, 4});
  const auto slice = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return RunKernel1("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(Ints(slice(Vector({0, 3}), Vector({3, -5}), Vector({2, -2}), {})), (I{3, 1, 11, 9}));
  const Tensor row = slice(Vector({-1}), Vector({0}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}});
  EXPECT_EQ(row.shape(), Shape({4}));
  EXPECT_EQ(Ints(row), (I{8, 9, 10, 11}));
  // x[..., newaxis, 1]
  const Tensor column =
      slice(Vector({0, 0, 1}), Vector({0, 0, 2}), Vector({1, 1, 1}),
            {{"ellipsis_mask", int64_t{1}}, {"new_axis_mask", int64_t{2}}, {"shrink_axis_mask", int64_t{4}}});
  EXPECT_EQ(column.shape(), Shape({3, 1}));
  EXPECT_EQ(Ints(column), (I{1, 5, 9}));
  EXPECT_EQ(slice(Vector({2}), Vector({1}), Vector({1}), {}).shape(), Shape({0, 4}));
}

TEST(StridedSlice, RefusesWhatTheShapeCannotSatisfy) {
  const Tensor x = Iota({3, 4});
  const auto code = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return CodeOfKernel("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(code(Vector({0}), Vector({1}), Vector({0}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({3}), Vector({4}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0, 0}), Vector({1, 1, 1}), Vector({1, 1, 1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1}), Vector({1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1, 1}), Vector({1, 1}), {{"ellipsis_mask", int64_t{3}}}),
            Code::kInvalidArgument);
}

TEST(StridedSliceGrad, PutsTheGradientWhereTheSliceWasTaken) {
  const Tensor y =
      RunKernel1("StridedSliceGrad", {Vector({4}), Vector({3}), Vector({-5}), Vector({-2}), Vector({7, 8})});
  EXPECT_EQ(Ints(y), (I{0, 8, 0, 7}));
  EXPECT_EQ(CodeOfKernel("StridedSliceGrad", {Vector({4}), Vector({0}), Vector({4}), Vector({1}), Vector({7, 8})}),
            Code::kInvalidArgument);
}

TEST(StridedSliceAssign, WritesWhereTheSliceReads) {  // R28
  KernelHarness harness;
  const Entry v = harness.Ref(MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  const auto ints = [](int32_t a, int32_t b) { return In(MakeVector<int32_t>({a, b})); };
  const Entry one = ints(1, 1), corner = In(MakeTensor<float>({1, 2}, {7, 8}));
  harness.Run("StridedSliceAssign", {v, ints(1, 0), ints(2, 3), ints(1, 2), corner});
  EXPECT_EQ(Values<float>(v), (std::vector<float>{1, 2, 3, 7, 5, 8}));
  harness.Run("StridedSliceAssign", {v, ints(0, 0), ints(2, 2), one, corner});
  EXPECT_EQ(Values<float>(v), (std::vector<float>{7, 8, 3, 7, 8, 8})) << "the row for each row";
  EXPECT_EQ(harness.CodeOf("StridedSliceAssign", {v, ints(0, 0), ints(2, 3), one, corner}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("StridedSliceAssign", {v, ints(0, 0), ints(0, 3), one, corner}), Code::kOk)
      << "nothing is taken, and nothing asked of the value";
}

TEST(TensorStridedSliceUpdate, BroadcastsTheValue) {
  const Tensor x = Iota({3, 4}), begin = Vector({1, 0}), end = Vector({3, 4}), strides = Vector({1, 2});
  const auto with = [&](Tensor value) {
    return Ints(RunKernel1("TensorStridedSliceUpdate", {x, begin, end, strides, std::move(value)}));
  };
  EXPECT_EQ(with(MakeTensor<int32_t>({2, 2}, {70, 80, 90, 95})), (I{0, 1, 2, 3, 70, 5, 80, 7, 90, 9, 95, 11}));
  EXPECT_EQ(with(MakeScalar<int32_t>(7)), (I{0, 1, 2, 3, 7, 5, 7, 7, 7, 9, 7, 11}));
  EXPECT_EQ(with(Vector({7, 8})), (I{0, 1, 2, 3, 7, 5, 8, 7, 7, 9, 8, 11}));
  EXPECT_EQ(with(MakeTensor<int32_t>({1, 2, 1}, {7, 8})), (I{0, 1, 2, 3, 7, 5, 7, 7, 8, 9, 8, 11}))
      << "a dimension of 1 before those of the slice is none";
  EXPECT_EQ(Ints(x), Ints(Iota({3, 4}))) << "others hold it";
  const auto code = [&](Tensor last, Tensor value) {
    return CodeOfKernel("TensorStridedSliceUpdate", {x, begin, std::move(last), strides, std::move(value)});
  };
  EXPECT_EQ(code(end, Vector({7, 8, 9})), Code::kInvalidArgument);
  EXPECT_EQ(code(end, MakeTensor<int32_t>({2, 1, 2}, {7, 8, 7, 8})), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({1, 4}), Vector({7, 8, 9})), Code::kOk) << "nothing is taken, and nothing asked of the value";
}

TEST(StridedSlice, TakesMasksOfInt32WithOneEllipsis) {
  const Tensor x = MakeVector<float>({1, 2, 3}), zero = MakeVector<int32_t>({0}), one = MakeVector<int32_t>({1});
  const auto code = [&](const char* mask, int64_t value) {
    return CodeOfKernel("StridedSlice", {x, zero, one, one}, {{mask, value}});
  };
  EXPECT_EQ(code("ellipsis_mask", 4), Code::kOk) << "no slot has it";
  EXPECT_EQ(code("ellipsis_mask", 5), Code::kInvalidArgument);
  EXPECT_EQ(code("end_mask", int64_t{1} << 31), Code::kInvalidArgument);
}

TEST(StridedSliceAssign, OfAHandleIsASnapshotForReaders) {  // R28, R42
  KernelHarness harness;
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const Entry begin = In(MakeVector<int32_t>({1})), end = In(MakeVector<int32_t>({3})),
              stride = In(MakeVector<int32_t>({1})), value = In(MakeVector<float>({8, 9}));
  const Entry v = harness.Run("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}})[0];
  EXPECT_EQ(harness.CodeOf("ResourceStridedSliceAssign", {v, begin, end, stride, value}), Code::kNotFound);
  harness.Run("AssignVariableOp", {v, In(MakeVector<float>({1, 2, 3}))});
  const Tensor before = harness.Value("ReadVariableOp", {v}, floats);
  harness.Run("ResourceStridedSliceAssign", {v, begin, end, stride, value});
  const Entry pair = In(MakeTensor<float>({2, 1}, {8, 9}));
  EXPECT_EQ(harness.CodeOf("ResourceStridedSliceAssign", {v, begin, end, stride, pair}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceStridedSliceAssign", {v, end, end, stride, pair}), Code::kOk);
  EXPECT_EQ(Values<float>(before), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, floats)), (std::vector<float>{1, 8, 9}));
  harness.Run("ResourceStridedSliceAssign", {v, begin, end, stride, In(MakeScalar(5.0f))});
  EXPECT_EQ(Values<float>(harness.Value("ReadVariableOp", {v}, floats)), (std::vector<float>{1, 5, 5}));
}

}  // namespace
}  // namespace plumb::fast::cpu
