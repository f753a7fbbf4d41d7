#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Tensor Matrix(std::initializer_list<float> values) { return MakeTensor<float>({2, 2}, values); }

TEST(ScatterNd, NamesElementsAndRows) {  // R24
  KernelHarness harness;
  const Entry v = harness.Ref(Matrix({1, 2, 3, 4}));
  const Entry corners = In(MakeTensor<int32_t>({2, 2}, {0, 0, 1, 1}));
  harness.Run("ScatterNdAdd", {v, corners, In(MakeVector<float>({10, 20}))});
  EXPECT_EQ(Values<float>(v), Floats({11, 2, 3, 24}));
  harness.Run("ScatterNdUpdate", {v, In(MakeTensor<int64_t>({1, 1}, {1})), In(MakeTensor<float>({1, 2}, {7, 8}))});
  EXPECT_EQ(Values<float>(v), Floats({11, 2, 7, 8}));
  harness.Run("ScatterNdSub", {v, In(MakeVector<int32_t>({0})), In(MakeTensor<float>({1, 2}, {1, 1}))});
  EXPECT_EQ(Values<float>(v), Floats({10, 1, 7, 8})) << "a vector is a column of indices";
}

TEST(ScatterNd, BadIndicesAndShapesChangeNothing) {
  KernelHarness harness;
  const Entry v = harness.Ref(Matrix({1, 2, 3, 4}));
  const auto code = [&](Tensor indices, Tensor updates) {
    return harness.CodeOf("ScatterNdUpdate", {v, In(std::move(indices)), In(std::move(updates))});
  };
  EXPECT_EQ(code(MakeTensor<int32_t>({2, 2}, {0, 0, 0, 2}), MakeVector<float>({5, 6})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 2}, {-1, 0}), MakeVector<float>({5})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 3}, {0, 0, 0}), MakeVector<float>({5})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeScalar<int32_t>(0), MakeVector<float>({5, 6})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 0}, {}), MakeTensor<float>({1, 2, 2}, {5, 6, 7, 8})), Code::kInvalidArgument)
      << "DoScatterNd: an index has a number at least";
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 1}, {0}), MakeScalar<float>(5)), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(v), Floats({1, 2, 3, 4}));
}

TEST(ScatterNd, OfBitsIsOrAndUnequal) {
  KernelHarness harness;
  const Entry v = harness.Run("VarHandleOp", {}, {{"dtype", DType::kBool}, {"shape", PartialShape()}})[0];
  harness.Run("AssignVariableOp", {v, In(MakeVector<bool>({true, true, false}))});
  const Entry all = In(MakeTensor<int32_t>({3, 1}, {0, 1, 2})), ones = In(MakeVector<bool>({true, false, true}));
  const auto value = [&] { return Values<bool>(harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kBool}})); };
  harness.Run("ResourceScatterNdAdd", {v, all, ones});
  EXPECT_EQ(value(), (std::vector<bool>{true, true, true}));
  harness.Run("ResourceScatterNdSub", {v, all, ones});
  EXPECT_EQ(value(), (std::vector<bool>{false, true, false}));
}

TEST(ScatterNd, KeepsTheGreaterOrTheLess) {
  KernelHarness harness;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Entry indices = In(MakeTensor<int32_t>({3, 2}, {0, 0, 1, 1, 1, 1}));
  const Entry updates = In(MakeVector<float>({9, -1, 5})), none = In(MakeVector<float>({nan}));
  const Entry first = In(MakeTensor<int32_t>({1, 2}, {0, 0})), outside = In(MakeTensor<int32_t>({1, 2}, {0, 2}));
  const Entry greatest = harness.Ref(Matrix({1, 2, 3, 4})), least = harness.Ref(Matrix({1, 2, 3, 4}));
  harness.Run("ScatterNdMax", {greatest, indices, updates});
  EXPECT_EQ(Values<float>(greatest), Floats({9, 2, 3, 5}));
  harness.Run("ScatterNdMin", {least, indices, updates});
  EXPECT_EQ(Values<float>(least), Floats({1, 2, 3, -1}));
  EXPECT_EQ(harness.CodeOf("ScatterNdMax", {greatest, outside, none}), Code::kInvalidArgument);

  const Entry v = harness.Run("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}})[0];
  const auto held = [&] { return Values<float>(harness.Value("ReadVariableOp", {v}, {{"dtype", DType::kFloat}})); };
  harness.Run("AssignVariableOp", {v, In(Matrix({1, 2, 3, 4}))});
  harness.Run("ResourceScatterNdMax", {v, indices, updates});
  EXPECT_EQ(held(), Floats({9, 2, 3, 5}));
  harness.Run("ResourceScatterNdMin", {v, indices, updates});
  harness.Run("ResourceScatterNdMin", {v, first, none});
  EXPECT_EQ(held(), Floats({9, 2, 3, -1})) << "what is not a number is neither";
  harness.Run("AssignVariableOp", {v, In(Matrix({nan, 2, 3, 4}))});
  harness.Run("ResourceScatterNdMax", {v, indices, updates});
  EXPECT_TRUE(std::isnan(held()[0]));
  EXPECT_EQ(harness.CodeOf("ResourceScatterNdMin", {v, outside, none}), Code::kInvalidArgument);
}

TEST(ResourceGatherNd, TakesElementsAndRows) {  // R44
  KernelHarness harness;
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const Entry v = harness.Run("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}})[0];
  harness.Run("AssignVariableOp", {v, In(Matrix({1, 2, 3, 4}))});
  const auto gathered = [&](Tensor indices) {
    return Values<float>(harness.Value("ResourceGatherNd", {v, In(std::move(indices))}, floats));
  };
  EXPECT_EQ(gathered(MakeTensor<int32_t>({2, 2}, {1, 0, 0, 1})), Floats({3, 2}));
  EXPECT_EQ(gathered(MakeTensor<int32_t>({1, 1}, {1})), Floats({3, 4}));
  EXPECT_EQ(gathered(MakeTensor<int32_t>({1, 0}, {})), Floats({1, 2, 3, 4})) << "no number names everything";
  EXPECT_EQ(harness.CodeOf("ResourceGatherNd", {v, In(MakeTensor<int32_t>({1, 1}, {2}))}, floats),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
