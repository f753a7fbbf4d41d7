// What variants hold, written by one backend and read by another; and what nobody has written.
#include <gtest/gtest.h>

#include <tuple>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/core/variant_codec.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/sparse_matrix.h"
#include "spec/formats/tensor_list.h"
#include "spec/graph/graph_def.h"
#include "spec/graph/proto_io.h"

namespace plumb {
namespace {

using Nodes = std::vector<NodeDef>;
using Names = std::vector<std::string>;

NodeDef Constant(const std::string& name, Tensor value) {
  const DType dtype = value.dtype();
  return {name, "Const", {}, "", {{"value", std::move(value)}, {"dtype", dtype}}, ""};
}

const AttrMap kFloatList = {{"element_dtype", DType::kFloat}, {"shape_type", DType::kInt32}};
const AttrMap kListOfLists = {{"element_dtype", DType::kVariant}, {"shape_type", DType::kInt32}};
const std::vector<DType> kFloats = {DType::kFloat};

// A list, a list of it, an optional, a ragged tensor, a sparse matrix, a sparse tensor.
const Names kVariants = {"list", "lists", "optional", "ragged", "matrix", "sparse"};

Nodes MakeVariants() {
  return {
      Constant("rows", MakeTensor<float>({2, 2}, {1, 2, 3, 4})),
      Constant("shape", MakeVector<int32_t>({2})),
      Constant("scalar", MakeVector<int32_t>({})),
      Constant("one", MakeScalar<int32_t>(1)),
      Constant("zero", MakeScalar<int32_t>(0)),
      Constant("any", MakeScalar<int32_t>(-1)),
      Constant("row", MakeVector<float>({5, 6})),
      Constant("splits", MakeVector<int64_t>({0, 0, 2})),
      Constant("at", MakeTensor<int64_t>({2, 2}, {0, 1, 1, 0})),
      Constant("sides", MakeVector<int64_t>({2, 2})),
      {"list", "TensorListFromTensor", {"rows", "shape"}, "", kFloatList, ""},
      {"none", "EmptyTensorList", {"scalar", "any"}, "", kListOfLists, ""},
      {"lists", "TensorListPushBack", {"none", "list"}, "", {{"element_dtype", DType::kVariant}}, ""},
      {"optional", "OptionalFromValue", {"rows"}, "", {{"Toutput_types", kFloats}}, ""},
      {"ragged",
       "RaggedTensorToVariant",
       {"splits", "rows"},
       "",
       {{"RAGGED_RANK", 1}, {"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}, {"batched_input", false}},
       ""},
      {"matrix", "SparseTensorToCSRSparseMatrix", {"at", "row", "sides"}, "", {{"T", DType::kFloat}}, ""},
      {"sparse",
       "SerializeSparse",
       {"at", "row", "sides"},
       "",
       {{"T", DType::kFloat}, {"out_type", DType::kVariant}},
       ""},
  };
}

// What the six of them hold, as tensors.
const Names kUses = {"item", "longer", "inner", "value", "ragged:0", "ragged:1", "places:0", "tensor:1", "zeros"};

Nodes UseVariants(const std::string& under, const Names& variants) {
  const AttrMap stacked = {{"element_dtype", DType::kFloat}, {"num_elements", -1}};
  return {
      {under + "item", "TensorListGetItem", {variants[0], "one", "any"}, "", {{"element_dtype", DType::kFloat}}, ""},
      {under + "more", "TensorListPushBack", {variants[0], "row"}, "", {{"element_dtype", DType::kFloat}}, ""},
      {under + "longer", "TensorListStack", {under + "more", "any"}, "", stacked, ""},
      {under + "within",
       "TensorListGetItem",
       {variants[1], "zero", "any"},
       "",
       {{"element_dtype", DType::kVariant}},
       ""},
      {under + "inner", "TensorListStack", {under + "within", "any"}, "", stacked, ""},
      {under + "value",
       "OptionalGetValue",
       {variants[2]},
       "",
       {{"output_types", kFloats}, {"output_shapes", std::vector<PartialShape>{PartialShape({2, 2})}}},
       ""},
      {under + "ragged",
       "RaggedTensorFromVariant",
       {variants[3]},
       "",
       {{"input_ragged_rank", 1}, {"output_ragged_rank", 1}, {"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}},
       ""},
      {under + "places", "CSRSparseMatrixToSparseTensor", {variants[4]}, "", {{"type", DType::kFloat}}, ""},
      {under + "tensor",
       "DeserializeSparse",
       {variants[5]},
       "",
       {{"dtype", DType::kFloat}, {"Tserialized", DType::kVariant}},
       ""},
      {under + "none_of", "ZerosLike", {variants[1]}, "", {{"T", DType::kVariant}}, ""},
      {under + "none_within",
       "TensorListGetItem",
       {under + "none_of", "zero", "any"},
       "",
       {{"element_dtype", DType::kVariant}},
       ""},
      {under + "zeros", "TensorListStack", {under + "none_within", "any"}, "", stacked, ""},
  };
}

Names Under(const std::string& under, Names names) {
  for (std::string& name : names) name = under + name;
  return names;
}

std::unique_ptr<Session> Opened(std::string_view backend, const Nodes& nodes) {
  auto session = OpenSession(backend, {});
  EXPECT_EQ(session->Extend({nodes, {kGraphVersion, 0, {}}, ""}).ToString(), "OK");
  return session;
}

class WrittenVariants : public testing::TestWithParam<std::tuple<std::string_view, std::string_view>> {};
INSTANTIATE_TEST_SUITE_P(All, WrittenVariants,
                         testing::Combine(testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                                          testing::ValuesIn(BackendNames().begin(), BackendNames().end())),
                         [](const auto& info) {
                           return Str(TestNameOf(std::get<0>(info.param)), "To", TestNameOf(std::get<1>(info.param)));
                         });

void ExpectSame(const Status& status, const std::vector<Tensor>& given, const std::vector<Tensor>& wanted) {
  ASSERT_EQ(status.ToString(), "OK");
  for (size_t i = 0; i < kUses.size(); ++i) {
    EXPECT_TRUE(given[i].BitwiseEquals(wanted[i])) << kUses[i] << ": " << given[i].ToString();
  }
}

TEST_P(WrittenVariants, ComeBackFromACheckpoint) {
  const TemporaryFolder folder;
  const std::vector<DType> types(kVariants.size(), DType::kVariant);
  Names saved = {"prefix", "names", "slices"}, restored;
  saved.insert(saved.end(), kVariants.begin(), kVariants.end());
  for (size_t i = 0; i < kVariants.size(); ++i) restored.push_back(Str("restore:", i));
  Nodes nodes = MakeVariants();
  nodes.push_back(Constant("prefix", MakeScalar<std::string>(folder.path() + "/p")));
  nodes.push_back(Constant("names", MakeTensor<std::string>({std::ssize(kVariants)}, kVariants)));
  nodes.push_back(Constant("slices", Tensor(DType::kString, {std::ssize(kVariants)})));
  nodes.push_back({"save", "SaveV2", saved, "", {{"dtypes", types}}, ""});
  nodes.push_back({"restore", "RestoreV2", {"prefix", "names", "slices"}, "", {{"dtypes", types}}, ""});
  for (NodeDef& use : UseVariants("live/", kVariants)) nodes.push_back(std::move(use));
  for (NodeDef& use : UseVariants("back/", restored)) nodes.push_back(std::move(use));
  const auto from = Opened(std::get<0>(GetParam()), nodes), to = Opened(std::get<1>(GetParam()), nodes);
  std::vector<Tensor> wanted, given;
  ASSERT_EQ(from->Run({}, Under("live/", kUses), Names{"save"}, &wanted).ToString(), "OK");
  EXPECT_EQ(wanted[1].ToString(), MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}).ToString());
  ExpectSame(to->Run({}, Under("back/", kUses), {}, &given), given, wanted);
}

// As fetched values that become those of Const nodes, read in every step.
TEST_P(WrittenVariants, ComeBackAsConstants) {
  Nodes nodes = MakeVariants();
  for (NodeDef& use : UseVariants("live/", kVariants)) nodes.push_back(std::move(use));
  const auto from = Opened(std::get<0>(GetParam()), nodes);
  std::vector<Tensor> wanted, given, variants;
  ASSERT_EQ(from->Run({}, Under("live/", kUses), {}, &wanted).ToString(), "OK");
  ASSERT_EQ(from->Run({}, kVariants, {}, &variants).ToString(), "OK");
  for (size_t i = 0; i < variants.size(); ++i) {
    nodes.push_back(Constant("const/" + kVariants[i], ParseTensorProto(SerializeTensorProto(variants[i]))));
  }
  for (NodeDef& use : UseVariants("back/", Under("const/", kVariants))) nodes.push_back(std::move(use));
  const auto to = Opened(std::get<1>(GetParam()), nodes);
  for (int step = 0; step < 2; ++step) ExpectSame(to->Run({}, Under("back/", kUses), {}, &given), given, wanted);
}

class VariantsOf : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, VariantsOf, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// What TensorFlow 2.12 writes of the same into a checkpoint, without the length before and the checksum behind. It
// leaves three bytes of a sparse matrix's metadata as they were in memory; here they are zero.
TEST_P(VariantsOf, HaveTheBytesOfTensorFlow) {
  using namespace std::string_literals;
  const Nodes nodes = {
      Constant("three", MakeScalar<int32_t>(3)),
      Constant("splits", MakeVector<int64_t>({0, 1, 2})),
      Constant("numbers", MakeVector<int32_t>({1, 2})),
      Constant("at", MakeTensor<int64_t>({2, 2}, {0, 1, 1, 0})),
      Constant("values", MakeVector<float>({1, 2})),
      Constant("sides", MakeVector<int64_t>({2, 2})),
      {"some", "OptionalFromValue", {"three"}, "", {{"Toutput_types", std::vector<DType>{DType::kInt32}}}, ""},
      {"none", "OptionalNone", {}, "", {}, ""},
      {"ragged",
       "RaggedTensorToVariant",
       {"splits", "numbers"},
       "",
       {{"RAGGED_RANK", 1}, {"Tvalues", DType::kInt32}, {"Tsplits", DType::kInt64}, {"batched_input", false}},
       ""},
      {"matrix", "SparseTensorToCSRSparseMatrix", {"at", "values", "sides"}, "", {{"T", DType::kFloat}}, ""},
  };
  const std::pair<std::string, std::string> wanted[] = {
      {"some", "\n\x1atensorflow::data::Optional\x12\x01\x01\x1a\x07\x08\x03\x12\x00:\x01\x03"s},
      {"none", "\n\x1atensorflow::data::Optional\x12\x01\x00"s},
      {"ragged", "\n\x13RaggedTensorVariant\x1a\r\x08\t\x12\x04\x12\x02\x08\x03R\x03\x00\x01\x02"s +
                     "\x1a\x0c\x08\x03\x12\x04\x12\x02\x08\x02:\x02\x01\x02"},
      {"matrix", "\n\x1btensorflow::CSRSparseMatrix\x12\x08\x01\x00\x00\x00\x01\x00\x00\x00"s +
                     "\x1a\x0c\x08\t\x12\x04\x12\x02\x08\x02R\x02\x02\x02" +
                     "\x1a\x0c\x08\x03\x12\x04\x12\x02\x08\x02:\x02\x00\x02"s +
                     "\x1a\r\x08\x03\x12\x04\x12\x02\x08\x03:\x03\x00\x01\x02"s +
                     "\x1a\x0c\x08\x03\x12\x04\x12\x02\x08\x02:\x02\x01\x00"s +
                     "\x1a\x12\x08\x01\x12\x04\x12\x02\x08\x02*\x08\x00\x00\x80?\x00\x00\x00@"s},
  };
  const auto session = Opened(GetParam(), nodes);
  for (const auto& [name, element] : wanted) {
    std::vector<Tensor> outputs;
    ASSERT_EQ(session->Run({}, Names{name}, {}, &outputs).ToString(), "OK");
    // A scalar variant: its type, its shape, the length of its element.
    const std::string message = "\x08\x15\x12\x00z"s + static_cast<char>(element.size()) + element;
    EXPECT_EQ(SerializeTensorProto(outputs[0]), message) << name;
  }
}

TEST_P(VariantsOf, AreRefused) {
  const std::string float_matrix = SparseMatrixMetadata(DType::kFloat);
  const auto matrix = [&](std::vector<int64_t> shape, std::vector<int32_t> batches, std::vector<int32_t> rows,
                          std::vector<int32_t> columns) {
    const auto ints = [](const std::vector<int32_t>& values) {
      return MakeTensor<int32_t>({std::ssize(values)}, values);
    };
    return EncodedVariant{std::string(kSparseMatrixTypeName),
                          float_matrix,
                          {MakeTensor<int64_t>({std::ssize(shape)}, shape), ints(batches), ints(rows), ints(columns),
                           MakeVector<float>({1, 2})}};
  };
  const Tensor floats = MakeVector<float>({1, 2});
  const std::pair<size_t, EncodedVariant> cases[] = {
      {0, {kTensorListTypeName, "", {floats}}},
      {0, {kTensorListTypeName, std::string(20, '\xff'), {floats}}},
      {0, {"RaggedTensorVariant", "", {floats}}},
      {0, {"int", "\1", {floats}}},
      {0, EncodeTensorList(DType::kFloat, {2}, -1, {floats, MakeVector<int32_t>({1, 2})})},
      {0, EncodeTensorList(DType::kFloat, {3}, -1, {floats, floats})},
      {0, EncodeTensorList(DType::kFloat, {-2}, -1, {})},
      {1,
       EncodeTensorList(DType::kVariant, PartialShape(), -1, {MakeScalar(Decode({kTensorListTypeName, "\x7f", {}}))})},
      {2, {"tensorflow::data::Optional", "", {floats}}},
      {2, {"tensorflow::data::Optional", "\2", {floats}}},
      {2, {"tensorflow::data::Optional", std::string(1, '\0'), {floats}}},
      {2, {"tensorflow::data::Optional", "\1", {}}},
      {3, {"RaggedTensorVariant", "", {}}},
      {3, {"RaggedTensorVariant", "", {floats, floats}}},
      {3, {"RaggedTensorVariant", "", {MakeScalar<int64_t>(0), floats}}},
      {4, {std::string(kSparseMatrixTypeName), "", matrix({2, 2}, {0, 2}, {0, 1, 2}, {0, 1}).tensors}},
      {4, {std::string(kSparseMatrixTypeName), float_matrix, {}}},
      {4, {std::string(kSparseMatrixTypeName), float_matrix, {floats, floats, floats, floats, floats}}},
      {4, matrix({2, 2}, {0, 2}, {0, 1, 2}, {0, 2})},
      {4, matrix({2, 2}, {0, 2}, {0, 1, 2}, {-1, 1})},
      {4, matrix({2, 2}, {0, 2}, {0, 3, 2}, {0, 1})},
      {4, matrix({2, 2}, {0, 2}, {0, 1, 9}, {0, 1})},
      {4, matrix({2, 2}, {0, 9}, {0, 1, 2}, {0, 1})},
      {4, matrix({2, 2}, {0, 2}, {0, 1}, {0, 1})},
      {4, matrix({-2, 2}, {0, 2}, {0, 1, 2}, {0, 1})},
      {4, matrix({INT64_MAX, 2}, {0, 2}, {0, 1, 2}, {0, 1})},
      {4, matrix({INT64_MAX, INT64_MAX - 1, 2}, {0, 2}, {0, 1, 2}, {0, 1})},
      {4, matrix({2}, {0, 2}, {0, 1, 2}, {0, 1})},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    const auto& [use, encoded] = cases[i];
    Nodes nodes = MakeVariants();
    nodes.push_back(Constant("hostile", MakeScalar(Decode(encoded))));
    Names variants = kVariants;
    variants[use] = "hostile";
    for (NodeDef& each : UseVariants("use/", variants)) nodes.push_back(std::move(each));
    const auto session = Opened(GetParam(), nodes);
    const std::string fetched[] = {"use/item", "use/inner", "use/value", "use/ragged:1", "use/places:0"};
    std::vector<Tensor> outputs;
    EXPECT_EQ(session->Run({}, Names{fetched[use]}, {}, &outputs).code(), Code::kInvalidArgument) << i;
  }
}

// Who read a lock would hold what another one holds.
TEST_P(VariantsOf, LocksAreNotWritten) {
  const TemporaryFolder folder;
  const Nodes nodes = {
      Constant("prefix", MakeScalar<std::string>(folder.path() + "/p")),
      Constant("names", MakeVector<std::string>({"lock"})),
      Constant("slices", MakeVector<std::string>({""})),
      {"mutex", "MutexV2", {}, "", {}, ""},
      {"lock", "MutexLock", {"mutex"}, "", {}, ""},
      {"save",
       "SaveV2",
       {"prefix", "names", "slices", "lock"},
       "",
       {{"dtypes", std::vector<DType>{DType::kVariant}}},
       ""},
  };
  EXPECT_EQ(Opened(GetParam(), nodes)->Run({}, {}, Names{"save"}, nullptr).code(), Code::kUnimplemented);
}

class Lists : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, Lists, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// A list that says all of its elements' shape is not asked whether that is so.
TEST_P(Lists, OfOneShapeAreJoinedAsTheyAre) {
  const auto session = OpenSession(GetParam());
  const Nodes nodes = {Constant("rows", MakeTensor<float>({2, 2}, {1, 2, 3, 4})),
                       Constant("shape", MakeVector<int32_t>({1, 2})),
                       Constant("lengths", MakeVector<int64_t>({2, 0})),
                       Constant("given", MakeVector<int64_t>({})),
                       {"list", "TensorListSplit", {"rows", "shape", "lengths"}, "", kFloatList, ""},
                       {"joined", "TensorListConcatV2", {"list", "shape", "given"}, "", kFloatList, ""}};
  ASSERT_EQ(session->Extend({nodes, {kGraphVersion, 0, {}}, ""}).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(session->Run({}, Names{"joined:0", "joined:1"}, {}, &outputs).ToString(), "OK");
  EXPECT_TRUE(outputs[0].BitwiseEquals(MakeTensor<float>({2, 2}, {1, 2, 3, 4})));
  EXPECT_EQ(ToInt64s(outputs[1]), (std::vector<int64_t>{2, 0}));
}

}  // namespace
}  // namespace plumb
