#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

TEST(RaggedRange, GivesARowForEachStartAndLimit) {
  const auto rows = RunKernel(
      "RaggedRange", {MakeVector<int32_t>({0, 5, 8}), MakeVector<int32_t>({3, 5, 3}), MakeVector<int32_t>({1, 1, -2})});
  EXPECT_THAT(Values<int64_t>(rows[0]), ElementsAre(0, 3, 3, 6));
  EXPECT_THAT(Values<int32_t>(rows[1]), ElementsAre(0, 1, 2, 8, 6, 4));
}

TEST(RaggedRange, RefusesStepsOfZeroAndRowsThatSplitsCannotCount) {
  EXPECT_EQ(CodeOfKernel("RaggedRange", {MakeScalar<int32_t>(0), MakeScalar<int32_t>(3), MakeScalar<int32_t>(0)}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RaggedRange",
                         {MakeScalar<int64_t>(0), MakeScalar<int64_t>(int64_t{1} << 40), MakeScalar<int64_t>(1)},
                         {{"Tsplits", DType::kInt32}}),
            Code::kInvalidArgument);
}

TEST(RaggedGather, TakesRowsInTheShapeOfTheIndices) {
  const auto taken = RunKernel(
      "RaggedGather",
      {MakeVector<int64_t>({0, 2, 2, 5}), MakeVector<float>({1, 2, 3, 4, 5}), MakeTensor<int32_t>({2, 1}, {2, 0})},
      {{"PARAMS_RAGGED_RANK", int64_t{1}}, {"OUTPUT_RAGGED_RANK", int64_t{2}}});
  EXPECT_THAT(Values<int64_t>(taken[0]), ElementsAre(0, 1, 2));
  EXPECT_THAT(Values<int64_t>(taken[1]), ElementsAre(0, 3, 5));
  EXPECT_THAT(Values<float>(taken[2]), ElementsAre(3, 4, 5, 1, 2));
}

// Rows without elements take no memory, so that a few of them are more than int32, or int64, counts.
TEST(RaggedGather, RefusesMoreRowsThanItsSplitsCount) {
  const auto code = [](const Tensor& splits, int64_t rows, const Tensor& indices, int64_t rank) {
    return CodeOfKernel("RaggedGather", {splits, Tensor(DType::kFloat, {rows, 0}), indices},
                        {{"PARAMS_RAGGED_RANK", int64_t{1}}, {"OUTPUT_RAGGED_RANK", rank}});
  };
  const Tensor once = MakeVector<int32_t>({0}), twice = MakeVector<int32_t>({0, 0});
  const int64_t half = int64_t{1} << 30, all = int64_t{1} << 62;
  const Tensor narrow = MakeVector<int32_t>({0, 1 << 30}), wide = MakeVector<int64_t>({0, all});
  EXPECT_EQ(code(narrow, half, once, 1), Code::kOk);
  EXPECT_EQ(code(narrow, half, twice, 1), Code::kInvalidArgument);
  EXPECT_EQ(code(wide, all, once, 1), Code::kOk);
  EXPECT_EQ(code(wide, all, twice, 1), Code::kInvalidArgument);
  EXPECT_EQ(code(wide, all, Tensor(DType::kInt32, {2, all, 0}), 3), Code::kInvalidArgument);
}

// As TensorFlow 2.12.1 answers: some kernels read all dimensions as one, some count rows by the first of them.
TEST(Splits, MayHaveMoreDimensionsThanOne) {
  const Tensor column = MakeTensor<int64_t>({3, 1}, {0, 1, 3}), row = MakeTensor<int64_t>({1, 3}, {0, 1, 3});
  const Tensor values = MakeVector<float>({1, 2, 3}), numbers = MakeVector<int32_t>({0, 1, 2});
  const AttrMap rank = {{"RAGGED_RANK", int64_t{1}}};
  const auto columns = RunKernel("RaggedTensorToSparse", {column, values}, rank);
  EXPECT_THAT(Values<int64_t>(columns[0]), ElementsAre(0, 0, 1, 0, 1, 1));
  EXPECT_THAT(Values<int64_t>(columns[2]), ElementsAre(2, 2));
  EXPECT_THAT(Values<int64_t>(RunKernel("RaggedTensorToSparse", {row, values}, rank)[2]), ElementsAre(0, 2));
  for (const Tensor& splits : {column, row}) {
    const std::vector<Tensor> inputs = {splits, numbers, MakeScalar<int32_t>(3), MakeVector<float>({})};
    EXPECT_THAT(Values<float>(RunKernel1("RaggedBincount", inputs)), ElementsAre(1, 0, 0, 0, 1, 1));
  }
  const std::vector<Tensor> points = {MakeTensor<int32_t>({3, 1}, {65, 66, 67}), column};
  const AttrMap utf8 = {{"output_encoding", std::string("UTF-8")}};
  EXPECT_THAT(Values<std::string>(RunKernel1("UnicodeEncode", points, utf8)), ElementsAre("A", "BC"));
  EXPECT_EQ(CodeOfKernel("UnicodeEncode", {points[0], row}, utf8), Code::kInvalidArgument);
  const AttrMap ranks = {{"PARAMS_RAGGED_RANK", int64_t{1}}, {"OUTPUT_RAGGED_RANK", int64_t{1}}};
  const Tensor taken = MakeVector<int64_t>({1, 0});
  EXPECT_THAT(Values<float>(RunKernel("RaggedGather", {column, values, taken}, ranks)[1]), ElementsAre(2, 3, 1));
  EXPECT_EQ(CodeOfKernel("RaggedGather", {row, values, taken}, ranks), Code::kInvalidArgument);
  EXPECT_EQ(
      CodeOfKernel("RaggedTensorToVariant", {column, values}, {{"RAGGED_RANK", int64_t{1}}, {"batched_input", true}}),
      Code::kInvalidArgument);
}

AttrMap Encoding(int64_t rank, bool is_batch) { return {{"RAGGED_RANK", rank}, {"batched_input", is_batch}}; }
AttrMap Decoding(int64_t input_rank, int64_t output_rank) {
  return {{"input_ragged_rank", input_rank},
          {"output_ragged_rank", output_rank},
          {"Tvalues", DType::kFloat},
          {"Tsplits", DType::kInt32}};
}

// [[[1], [2, 3]], [[4]]]
Tensor Nested(bool is_batch) {
  return RunKernel1(
      "RaggedTensorToVariant",
      {MakeVector<int32_t>({0, 2, 3}), MakeVector<int32_t>({0, 1, 3, 4}), MakeVector<float>({1, 2, 3, 4})},
      Encoding(2, is_batch));
}

TEST(RaggedVariant, GoesInByRowsOrWholeAndComesOutStacked) {
  for (const bool is_batch : {false, true}) {
    const auto back = RunKernel("RaggedTensorFromVariant", {Nested(is_batch)}, Decoding(-1, 2));
    EXPECT_THAT(Values<int32_t>(back[0]), ElementsAre(0, 2, 3));
    EXPECT_THAT(Values<int32_t>(back[1]), ElementsAre(0, 1, 3, 4));
    EXPECT_THAT(Values<float>(back[2]), ElementsAre(1, 2, 3, 4));
  }
  const Tensor first = MakeScalar(Nested(true).data<Variant>()[0]);
  const auto row = RunKernel("RaggedTensorFromVariant", {first}, Decoding(1, 1));
  EXPECT_THAT(Values<int32_t>(row[0]), ElementsAre(0, 1, 3));
  EXPECT_THAT(Values<float>(row[1]), ElementsAre(1, 2, 3));
  EXPECT_EQ(CodeOfKernel("RaggedTensorFromVariant", {first}, Decoding(2, 2)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RaggedTensorFromVariant", {MakeScalar(Variant())}, Decoding(0, 0)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RaggedTensorToVariant", {MakeVector<int32_t>({0, 2, 5}), MakeVector<float>({1, 2, 3, 4})},
                         Encoding(1, true)),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RaggedTensorToVariant", {MakeVector<int32_t>({}), MakeVector<float>({1})}, Encoding(1, true)),
            Code::kInternal);
}

TEST(RaggedVariant, RefusesMoreRowsThanItsSplitsCount) {
  const auto join = [](int64_t rows, int64_t count, DType type) {
    const Tensor values(DType::kFloat, {rows, 0});
    AttrMap whole = Encoding(0, false);
    whole["Tsplits"] = DType::kInt64;
    const Tensor one = RunKernel1("RaggedTensorToVariant", {values}, whole);
    Tensor some(DType::kVariant, {count});
    for (Variant& element : some.mutable_data<Variant>()) element = one.data<Variant>()[0];
    AttrMap attrs = Decoding(0, 1);
    attrs["Tsplits"] = type;
    return CodeOfKernel("RaggedTensorFromVariant", {some}, attrs);
  };
  const int64_t half = int64_t{1} << 30, all = int64_t{1} << 62;
  EXPECT_EQ(join(half, 1, DType::kInt32), Code::kOk);
  EXPECT_EQ(join(half, 2, DType::kInt32), Code::kInvalidArgument);
  EXPECT_EQ(join(half, 2, DType::kInt64), Code::kOk);
  EXPECT_EQ(join(all, 2, DType::kInt64), Code::kInvalidArgument);
  const Tensor none(DType::kVariant, {2, all, 0});
  EXPECT_EQ(CodeOfKernel("RaggedTensorFromVariant", {none}, Decoding(0, 3)), Code::kInvalidArgument);
}

TEST(RaggedVariant, GradientsOfRowsThatAreMissingAreZero) {
  const Tensor splits = MakeVector<int32_t>({0, 2, 3});
  const Tensor rows = RunKernel1("RaggedTensorToVariant", {splits, MakeVector<float>({5, 6, 7})}, Encoding(1, true));
  const Tensor some = MakeVector<Variant>({Variant(), rows.data<Variant>()[1]});
  const AttrMap types = {{"Tvalues", DType::kFloat}};
  const auto joined = [&](const Tensor& variants) {
    return Values<float>(
        RunKernel1("RaggedTensorToVariantGradient", {variants, splits, MakeVector<int32_t>({3})}, types));
  };
  EXPECT_THAT(joined(rows), ElementsAre(5, 6, 7));
  EXPECT_THAT(joined(some), ElementsAre(0, 0, 7));
}

TEST(RaggedVariant, IsAddedToOneOfTheSameSplits) {
  const auto encoded = [](const Tensor& splits) {
    return RunKernel1("RaggedTensorToVariant", {splits, MakeVector<float>({1, 2, 3})}, Encoding(1, false));
  };
  const Tensor one = encoded(MakeVector<int32_t>({0, 1, 3})), other = encoded(MakeVector<int32_t>({0, 2, 3}));
  const Tensor sum = RunKernel1("AddN", {one, one, one});
  EXPECT_THAT(Values<float>(RunKernel("RaggedTensorFromVariant", {sum}, Decoding(1, 1))[1]), ElementsAre(3, 6, 9));
  const Tensor zero = RunKernel1("ZerosLike", {one});
  EXPECT_THAT(Values<float>(RunKernel("RaggedTensorFromVariant", {zero}, Decoding(1, 1))[1]), ElementsAre(0, 0, 0));
  EXPECT_EQ(CodeOfKernel("AddN", {one, other}), Code::kInvalidArgument);
}

// One row of two and of one, one without any.
TEST(RaggedCross, JoinsTheCombinationsOfEachRow) {
  const std::vector<DType> texts = {DType::kString}, ints = {DType::kInt64}, none;
  const AttrMap attrs = {{"Nsparse", int64_t{0}},
                         {"input_order", std::string("DR")},
                         {"hashed_output", false},
                         {"num_buckets", int64_t{0}},
                         {"hash_key", int64_t{1}},
                         {"ragged_values_types", texts},
                         {"ragged_splits_types", ints},
                         {"sparse_values_types", none},
                         {"dense_types", ints},
                         {"out_values_type", DType::kString},
                         {"out_row_splits_type", DType::kInt32}};
  const auto crosses = RunKernel(
      "RaggedCross",
      {MakeVector<std::string>({"a", "b"}), MakeVector<int64_t>({0, 2, 2}), MakeTensor<int64_t>({2, 2}, {1, 2, 3, 4})},
      attrs);
  EXPECT_THAT(Values<std::string>(crosses[0]), ElementsAre("1_X_a", "1_X_b", "2_X_a", "2_X_b"));
  EXPECT_THAT(Values<int32_t>(crosses[1]), ElementsAre(0, 4, 4));
}

}  // namespace
}  // namespace plumb::fast::cpu
