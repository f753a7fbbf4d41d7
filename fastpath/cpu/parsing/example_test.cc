#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/proto/example.pb.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }
Tensor Text(std::string text) { return MakeScalar<std::string>(std::move(text)); }

pb::Feature Integers(std::initializer_list<int64_t> numbers) {
  pb::Feature feature;
  for (const int64_t number : numbers) feature.mutable_int64_list()->add_value(number);
  return feature;
}

// {"a": [numbers], "b": ["x"]}.
std::string Example(std::initializer_list<int64_t> numbers) {
  pb::Example example;
  auto& features = *example.mutable_features()->mutable_feature();
  features["a"] = Integers(numbers);
  features["b"].mutable_bytes_list()->add_value("x");
  return example.SerializeAsString();
}

std::vector<Tensor> Parse(std::initializer_list<std::string> examples, PartialShape shape) {
  return RunKernel("ParseExample",
                   {Texts(examples), Tensor(DType::kString, {0}), Text("b"), Text("a"), MakeVector<int64_t>({7})},
                   {{"Nsparse", int64_t{1}},
                    {"Ndense", int64_t{1}},
                    {"sparse_types", Types{DType::kString}},
                    {"Tdense", Types{DType::kInt64}},
                    {"dense_shapes", Shapes{std::move(shape)}}});
}

TEST(ParseExample, MakesATensorOfEachFeature) {
  const std::vector<Tensor> parsed = Parse({Example({5}), "", Example({-6})}, {1});
  EXPECT_THAT(Values<int64_t>(parsed[0]), ElementsAre(0, 0, 2, 0));
  EXPECT_THAT(Values<std::string>(parsed[1]), ElementsAre("x", "x"));
  EXPECT_THAT(Values<int64_t>(parsed[2]), ElementsAre(3, 1));
  EXPECT_EQ(parsed[3].shape(), Shape({3, 1}));
  EXPECT_THAT(Values<int64_t>(parsed[3]), ElementsAre(5, 7, -6));
}

TEST(ParseExample, NamesTheFeatureThatItMisses) {
  const auto says = [](std::initializer_list<std::string> examples) -> std::string {
    const std::vector<Tensor> inputs = {Texts(examples), Tensor(DType::kString, {0}), Text("b"), Text("a"),
                                        Tensor(DType::kInt64, {0})};
    const AttrMap attrs = {{"Nsparse", int64_t{1}},
                           {"Ndense", int64_t{1}},
                           {"sparse_types", Types{DType::kString}},
                           {"Tdense", Types{DType::kInt64}},
                           {"dense_shapes", Shapes{{1}}}};
    try {
      RunKernel("ParseExample", inputs, attrs);
    } catch (const Error& error) {
      return error.status().message();
    }
    return "nothing";
  };
  EXPECT_THAT(says({Example({1}), ""}), HasSubstr("example 1 lacks the dense feature 'a'"));
  EXPECT_THAT(says({Example({1, 2})}), HasSubstr("example 0 has 2 of 1 values of the dense feature 'a'"));
  pb::Example other;
  (*other.mutable_features()->mutable_feature())["a"].mutable_float_list()->add_value(1);
  EXPECT_THAT(says({other.SerializeAsString()}), HasSubstr("feature 'a' whose values are not of type int64"));
}

TEST(ParseExample, FillsUpWhatVaries) {
  const std::vector<Tensor> parsed = Parse({Example({1, 2}), Example({3})}, {-1});
  EXPECT_EQ(parsed[3].shape(), Shape({2, 2}));
  EXPECT_THAT(Values<int64_t>(parsed[3]), ElementsAre(1, 2, 3, 7));
}

// Whatever is cut off or turned round: a status, and nothing outside of the bytes is read.
TEST(ParseExample, RefusesBytesThatAreNone) {
  EXPECT_THROW(Parse({Example({1, 2})}, {1}), Error);
  EXPECT_THROW(Parse({"\x0a"}, {1}), Error);
  const std::string whole = Example({1});
  for (size_t size = 0; size < whole.size(); ++size) {
    try {
      Parse({whole.substr(0, size)}, {1});
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << size;
    }
    std::string changed = whole;
    changed[size] = static_cast<char>(~changed[size]);
    try {
      Parse({changed}, {1});
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << size;
    }
  }
}

TEST(ParseSingleExample, GivesItsDefaults) {
  const std::vector<Tensor> parsed = RunKernel("ParseSingleExample", {Text(Example({})), MakeVector<int64_t>({3, 4})},
                                               {{"num_sparse", int64_t{1}},
                                                {"sparse_keys", std::vector<std::string>{"b"}},
                                                {"dense_keys", std::vector<std::string>{"c"}},
                                                {"sparse_types", Types{DType::kString}},
                                                {"Tdense", Types{DType::kInt64}},
                                                {"dense_shapes", Shapes{{2}}}});
  EXPECT_THAT(Values<int64_t>(parsed[0]), ElementsAre(0));
  EXPECT_THAT(Values<std::string>(parsed[1]), ElementsAre("x"));
  EXPECT_THAT(Values<int64_t>(parsed[2]), ElementsAre(1));
  EXPECT_THAT(Values<int64_t>(parsed[3]), ElementsAre(3, 4));
}

// {"a": [1]} and the list {"l": [[2, 3], [4, 5]]}, of which `rows` are there.
std::string Sequence(int rows) {
  pb::SequenceExample message;
  (*message.mutable_context()->mutable_feature())["a"] = Integers({1});
  auto& list = (*message.mutable_feature_lists()->mutable_feature_list())["l"];
  for (int row = 0; row < rows; ++row) *list.add_feature() = Integers({2 + 2 * row, 3 + 2 * row});
  return message.SerializeAsString();
}

const AttrMap kSequence = {
    {"Ncontext_sparse", int64_t{1}},           {"Ncontext_dense", int64_t{0}},
    {"Nfeature_list_sparse", int64_t{0}},      {"context_sparse_types", Types{DType::kInt64}},
    {"Nfeature_list_dense", int64_t{1}},       {"feature_list_dense_types", Types{DType::kInt64}},
    {"feature_list_dense_shapes", Shapes{{2}}}};

TEST(ParseSequenceExample, EndsShortListsWithZeros) {
  AttrMap attrs = kSequence;
  attrs["context_sparse_keys"] = std::vector<std::string>{"a"};
  attrs["context_dense_keys"] = std::vector<std::string>();
  attrs["feature_list_sparse_keys"] = std::vector<std::string>();
  attrs["feature_list_dense_keys"] = std::vector<std::string>{"l"};
  attrs["feature_list_dense_missing_assumed_empty"] = std::vector<std::string>();
  const std::vector<Tensor> parsed =
      RunKernel("ParseSequenceExample", {Texts({Sequence(2), Sequence(1)}), Tensor(DType::kString, {0})}, attrs);
  EXPECT_THAT(Values<int64_t>(parsed[0]), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(Values<int64_t>(parsed[1]), ElementsAre(1, 1));
  EXPECT_THAT(Values<int64_t>(parsed[2]), ElementsAre(2, 1));
  EXPECT_EQ(parsed[3].shape(), Shape({2, 2, 2}));
  EXPECT_THAT(Values<int64_t>(parsed[3]), ElementsAre(2, 3, 4, 5, 2, 3, 0, 0));
  EXPECT_THAT(Values<int64_t>(parsed[4]), ElementsAre(2, 1));
}

TEST(ParseSingleSequenceExample, NamesTheFeatureThatItCannotTake) {
  const auto says = [](const std::string& context, const std::string& list) -> std::string {
    try {
      RunKernel("ParseSingleSequenceExample",
                {Text(Sequence(1)), Tensor(DType::kString, {0}), Text(context), Text(list), Text("name")},
                {{"Ncontext_sparse", int64_t{1}},
                 {"Ncontext_dense", int64_t{0}},
                 {"Nfeature_list_sparse", int64_t{0}},
                 {"context_sparse_types", Types{context == "a" ? DType::kFloat : DType::kInt64}},
                 {"Nfeature_list_dense", int64_t{1}},
                 {"feature_list_dense_types", Types{DType::kInt64}},
                 {"feature_list_dense_shapes", Shapes{{3}}}});
    } catch (const Error& error) {
      return error.status().message();
    }
    return "nothing";
  };
  EXPECT_THAT(says("a", "l"), HasSubstr("'a' of message 0 cannot be read"));
  EXPECT_THAT(says("none", "l"), HasSubstr("the dense list 'l' that do not have 3 values"));
}

TEST(ParseSingleSequenceExample, TakesListsThatMayBeMissing) {
  const auto parse = [](const std::string& bytes, const Tensor& missing) {
    return RunKernel("ParseSingleSequenceExample", {Text(bytes), missing, Text("a"), Text("l"), Text("name")},
                     kSequence);
  };
  const Tensor none(DType::kString, {0});
  EXPECT_THAT(Values<int64_t>(parse(Sequence(1), none)[3]), ElementsAre(2, 3));
  EXPECT_THAT(Values<int64_t>(parse("", Texts({"l"}))[3]), IsEmpty());
  EXPECT_THROW(parse("", none), Error);
  EXPECT_THROW(parse("\x0a", none), Error);
}

TEST(SerializeTensor, WritesNumbersInOnePiece) {
  const Tensor bytes = RunKernel1("SerializeTensor", {MakeVector<int16_t>({1, 2})});
  EXPECT_EQ(bytes.scalar<std::string>(), std::string("\x08\x05\x12\x04\x12\x02\x08\x02\x22\x04\x01\x00\x02\x00", 14));
  const Tensor again = RunKernel1("ParseTensor", {bytes}, {{"out_type", DType::kInt16}});
  EXPECT_THAT(Values<int16_t>(again), ElementsAre(1, 2));
  EXPECT_EQ(CodeOfKernel("ParseTensor", {bytes}, {{"out_type", DType::kInt32}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
