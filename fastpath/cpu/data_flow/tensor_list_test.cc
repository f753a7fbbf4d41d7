#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

const AttrMap kFloats = {{"element_dtype", DType::kFloat}};

Tensor EmptyList(const Tensor& shape, int32_t limit = -1) {
  return RunKernel1("EmptyTensorList", {shape, MakeScalar<int32_t>(limit)}, kFloats);
}
Tensor Stacked(const Tensor& list) { return RunKernel1("TensorListStack", {list, MakeScalar<int32_t>(-1)}, kFloats); }

TEST(TensorList, TakesARowOfABatchEach) {
  const Tensor list = EmptyList(MakeVector<int32_t>({2}));
  Tensor lists(DType::kVariant, {2});
  for (Variant& element : lists.mutable_data<Variant>()) element = list.data<Variant>()[0];
  const Tensor rows = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor pushed = RunKernel1("TensorListPushBackBatch", {lists, rows}, kFloats);
  Tensor second(DType::kVariant, Shape());
  second.mutable_data<Variant>()[0] = pushed.data<Variant>()[1];
  EXPECT_EQ(Values<float>(Stacked(second)), (std::vector<float>{3, 4}));
  EXPECT_EQ(CodeOfKernel("TensorListPushBackBatch", {lists, MakeTensor<float>({1, 2}, {1, 2})}, kFloats),
            Code::kInvalidArgument);
  const Tensor full = EmptyList(MakeVector<int32_t>({2}), /*limit=*/0);
  for (Variant& element : lists.mutable_data<Variant>()) element = full.data<Variant>()[0];
  EXPECT_EQ(CodeOfKernel("TensorListPushBackBatch", {lists, rows}, kFloats), Code::kOk) << "the limit is not asked";
}

TEST(TensorList, ChangesInPlaceWhatNobodyElseHolds) {
  Tensor list = EmptyList(MakeVector<int32_t>({1}));
  list = RunKernel1("TensorListPushBack", {std::move(list), MakeVector<float>({1})}, kFloats);
  const VariantPayload* const payload = list.data<Variant>()[0].payload.get();
  std::vector<Tensor> inputs(2, MakeVector<float>({2}));  // a braced list would hold the list too
  inputs[0] = std::move(list);
  list = RunKernel1("TensorListPushBack", std::move(inputs), kFloats);
  EXPECT_EQ(list.data<Variant>()[0].payload.get(), payload);

  const Tensor held = list;
  const Tensor longer = RunKernel1("TensorListPushBack", {list, MakeVector<float>({3})}, kFloats);
  EXPECT_EQ(Values<float>(Stacked(held)), (std::vector<float>{1, 2}));
  EXPECT_EQ(Values<float>(Stacked(longer)), (std::vector<float>{1, 2, 3}));
}

TEST(TensorList, ListsOfABatchChangeInPlace) {
  const auto pushed = [](Tensor& lists, float a, float b) {
    std::vector<Tensor> inputs(2, MakeTensor<float>({2, 1}, {a, b}));
    inputs[0] = std::move(lists);
    return RunKernel1("TensorListPushBackBatch", std::move(inputs), kFloats);
  };
  const auto payload = [](const Tensor& lists, size_t i) { return lists.data<Variant>()[i].payload.get(); };
  const auto stacked = [](const Tensor& lists, size_t i) {
    return Values<float>(Stacked(MakeScalar(Variant(lists.data<Variant>()[i]))));
  };
  Tensor lists(DType::kVariant, {2});
  const Tensor list = EmptyList(MakeVector<int32_t>({1}));
  for (Variant& element : lists.mutable_data<Variant>()) element = list.data<Variant>()[0];
  lists = pushed(lists, 1, 2);
  const VariantPayload *const first = payload(lists, 0), *const second = payload(lists, 1);
  EXPECT_NE(first, second) << "one list in two places becomes two";
  lists = pushed(lists, 3, 4);
  EXPECT_EQ(payload(lists, 0), first);
  EXPECT_EQ(payload(lists, 1), second);

  Tensor held = lists;
  const Tensor longer = pushed(held, 5, 6);
  EXPECT_EQ(stacked(lists, 1), (std::vector<float>{2, 4}));
  EXPECT_EQ(stacked(longer, 1), (std::vector<float>{2, 4, 6}));
}

TEST(TensorList, ElementsWithoutAValueAreZeros) {
  const Tensor reserved = RunKernel1("TensorListReserve", {MakeVector<int32_t>({-1}), MakeScalar<int32_t>(3)}, kFloats);
  EXPECT_EQ(CodeOfKernel("TensorListStack", {reserved, MakeScalar<int32_t>(-1)}, kFloats), Code::kInvalidArgument);
  const Tensor set =
      RunKernel1("TensorListSetItem", {reserved, MakeScalar<int32_t>(1), MakeVector<float>({5, 6})}, kFloats);
  EXPECT_EQ(Values<float>(Stacked(set)), (std::vector<float>{0, 0, 5, 6, 0, 0}));
  EXPECT_EQ(CodeOfKernel("TensorListGetItem", {set, MakeScalar<int32_t>(3), MakeScalar<int32_t>(-1)}, kFloats),
            Code::kInvalidArgument);
}

TEST(TensorList, HasNoMoreElementsThanItsBound) {
  const Tensor list = EmptyList(MakeScalar<int32_t>(-1), 0);
  EXPECT_EQ(CodeOfKernel("TensorListPushBack", {list, MakeVector<float>({1})}, kFloats), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("TensorListPopBack", {list, MakeScalar<int32_t>(-1)}, kFloats), Code::kInvalidArgument);
}

// The first version asks the elements where the list does not say all of their shape, and its attribute where it does.
TEST(TensorList, IsJoinedByTheFirstVersionToo) {
  const auto list = [](std::initializer_list<int32_t> shape) {
    Tensor made = EmptyList(MakeVector<int32_t>(shape));
    made = RunKernel1("TensorListPushBack", {made, MakeTensor<float>({1, 2}, {1, 2})}, kFloats);
    return RunKernel1("TensorListPushBack", {made, MakeTensor<float>({1, 2}, {3, 4})}, kFloats);
  };
  const auto rows = [](int64_t size) {
    return AttrMap{{"element_dtype", DType::kFloat}, {"element_shape", PartialShape{7, size}}};
  };
  const auto joined = RunKernel("TensorListConcat", {list({-1, 2})}, kFloats);
  EXPECT_EQ(Values<float>(joined[0]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(joined[0].shape(), Shape({2, 2}));
  EXPECT_EQ(Values<int64_t>(joined[1]), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(CodeOfKernel("TensorListConcat", {list({1, 2})}, kFloats), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(RunKernel("TensorListConcat", {list({1, 2})}, rows(2))[0]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(CodeOfKernel("TensorListConcat", {list({-1, 2})}, rows(3)), Code::kInvalidArgument);
  const Tensor none = EmptyList(MakeVector<int32_t>({-1, 2}));
  EXPECT_EQ(CodeOfKernel("TensorListConcat", {none}, kFloats), Code::kInvalidArgument);
  EXPECT_EQ(RunKernel("TensorListConcat", {none}, rows(2))[0].shape(), Shape({0, 2}));
}

TEST(TensorList, GrowsAndIsFilledByScatter) {
  const Tensor rows = MakeTensor<float>({2, 1}, {7, 8});
  const Tensor list =
      RunKernel1("TensorListScatter", {rows, MakeVector<int32_t>({2, 0}), MakeVector<int32_t>({1})}, {});
  EXPECT_EQ(Values<float>(Stacked(list)), (std::vector<float>{8, 0, 7}));
  EXPECT_EQ(CodeOfKernel("TensorListScatter", {rows, MakeVector<int32_t>({-1, 0}), MakeVector<int32_t>({1})}),
            Code::kInvalidArgument);
}

TEST(TensorList, SumsAndZerosAreThoseOfTheElements) {
  const Tensor list =
      RunKernel1("TensorListFromTensor", {MakeTensor<float>({2, 1}, {7, 8}), MakeVector<int32_t>({1})}, {});
  EXPECT_EQ(Values<float>(Stacked(RunKernel1("AddN", {list, list, list}))), (std::vector<float>{21, 24}));
  EXPECT_EQ(Values<float>(Stacked(RunKernel1("ZerosLike", {list}))), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace plumb::fast::cpu
