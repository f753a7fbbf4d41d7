// Ops with many cases, on each backend, against what their definitions give where they are worked out by hand.
// TensorFlow 2.12.1 gives the same, unless a comment says otherwise.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "client/testing.h"
#include "spec/core/status_testing.h"
#include "spec/proto/example.pb.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WorkedOps : public OnEachBackend {
 protected:
  // All outputs of one op.
  std::vector<Tensor> OutputsOf(std::string_view op, const std::vector<Tensor>& inputs, AttrMap attrs) {
    Scope scope;
    std::vector<Output> ends, outputs;
    ends.reserve(inputs.size());
    for (const Tensor& input : inputs) ends.push_back(Constant(scope, input));
    const NodeId node = scope.Add(op, ends, std::move(attrs));
    const auto count = static_cast<int>(scope.builder().graph().node(node).output_types.size());
    outputs.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) outputs.push_back({&scope.builder(), {node, i}});
    return Evaluate(GetParam(), scope, outputs);
  }
};
PLUMB_ON_EACH_BACKEND(WorkedOps);

template <class T>
std::vector<T> Elements(const Tensor& tensor) {
  const auto data = tensor.data<T>();
  return {data.begin(), data.end()};
}

// ---- CTCBeamSearchDecoder ------------------------------------------------------------------------------------------

constexpr int64_t kTimes = 3, kSequences = 3, kClasses = 3;  // the last class is the blank, written _ below
constexpr float kProbabilities[kTimes][kSequences][kClasses] = {
    {{0.5F, 0.125F, 0.375F}, {0.75F, 0.125F, 0.125F}, {0.375F, 0.375F, 0.25F}},
    {{0.5F, 0.25F, 0.25F}, {0.125F, 0.125F, 0.75F}, {0.125F, 0.75F, 0.125F}},
    {{0.125F, 0.75F, 0.125F}, {0.75F, 0.125F, 0.125F}, {0.125F, 0.75F, 0.125F}}};

Tensor Logarithms() {
  Tensor inputs(DType::kFloat, {kTimes, kSequences, kClasses});
  const float* const all = &kProbabilities[0][0][0];
  std::transform(all, all + inputs.elements(), inputs.mutable_data<float>().begin(),
                 [](float probability) { return std::log(probability); });
  return inputs;
}

AttrMap BeamAttrs(int64_t paths, bool merges) {
  return {{"beam_width", int64_t{10}}, {"top_paths", paths}, {"merge_repeated", merges}};
}

// A sequence of labels is as probable as all its alignments together: what becomes of it where repetitions count once
// and then blanks are left out.
//   Two times of the first:  0: 00, 0_, _0: 1/2·1/2 + 1/2·1/4 + 3/8·1/2 = 9/16
//                            1: 11, 1_, _1: 1/8·1/4 + 1/8·1/4 + 3/8·1/4 = 5/32; then 01: 1/8, none: 3/32, 10: 1/16
//   Three of the second:    00: 0_0: (3/4)³ = 27/64
//                            0: 000, 0__, __0: 9/128 each; 00_, _00: 3/256 each; _0_: 1/512: 121/512; then 01: 55/512
//   One of the third:        0 and 1: 3/8 each; of equals that which was found first is first, and in TensorFlow 1.
// That repetitions are merged changes what is said of a path, not which path it is: 00 is written 0, too.
TEST_P(WorkedOps, CtcBeamSearchAddsUpAlignments) {
  // What three times round, each of them the input, its softmax, the step and three operations of a sum: so many
  // numbers that are no larger than the logarithm of the smallest probability of all three.
  const double kRoundings = kTimes * 6, kLargest = kTimes * std::log(8);
  const double tolerance = kRoundings * kLargest * std::numeric_limits<float>::epsilon() / 2;
  for (const bool merges : {false, true}) {
    const auto outputs = OutputsOf("CTCBeamSearchDecoder", {Logarithms(), MakeVector<int32_t>({2, 3, 1})},
                                   BeamAttrs(2, merges));  // two each of indices, values and shapes
    if (merges) {
      EXPECT_THAT(Elements<int64_t>(outputs[0]), ElementsAre(0, 0, 1, 0, 2, 0));
      EXPECT_THAT(Elements<int64_t>(outputs[2]), ElementsAre(0, 0, 0));
      EXPECT_THAT(Elements<int64_t>(outputs[4]), ElementsAre(3, 1));
    } else {
      EXPECT_THAT(Elements<int64_t>(outputs[0]), ElementsAre(0, 0, 1, 0, 1, 1, 2, 0));
      EXPECT_THAT(Elements<int64_t>(outputs[2]), ElementsAre(0, 0, 0, 0));
      EXPECT_THAT(Elements<int64_t>(outputs[4]), ElementsAre(3, 2));
    }
    EXPECT_THAT(Elements<int64_t>(outputs[1]), ElementsAre(0, 0, 1, 0, 2, 0));
    EXPECT_THAT(Elements<int64_t>(outputs[3]), ElementsAre(1, 0, 1));
    EXPECT_THAT(Elements<int64_t>(outputs[5]), ElementsAre(3, 1));
    EXPECT_EQ(outputs[6].shape(), Shape({3, 2}));
    const double probabilities[] = {9.0 / 16, 5.0 / 32, 27.0 / 64, 121.0 / 512, 3.0 / 8, 3.0 / 8};
    for (size_t i = 0; i < std::size(probabilities); ++i) {
      EXPECT_NEAR(outputs[6].data<float>()[i], std::log(probabilities[i]), tolerance) << i;
    }
  }
}

// Of no time there is the empty path, for certain, and no other one.
TEST_P(WorkedOps, CtcBeamSearchOfNoTimeFindsOnePath) {
  const auto decode = [&](int64_t paths) {
    return OutputsOf("CTCBeamSearchDecoder", {Logarithms(), MakeVector<int32_t>({0, 0, 0})}, BeamAttrs(paths, true));
  };
  const auto outputs = decode(1);
  EXPECT_EQ(outputs[0].shape(), Shape({0, 2}));
  EXPECT_THAT(Elements<int64_t>(outputs[2]), ElementsAre(3, 0));
  EXPECT_THAT(Elements<float>(outputs[3]), ElementsAre(0, 0, 0));
  EXPECT_EQ(StatusOf([&] { decode(2); }).code(), Code::kInvalidArgument);
}

// ---- ParseSequenceExampleV2 ----------------------------------------------------------------------------------------

pb::Feature Integers(std::initializer_list<int64_t> values) {
  pb::Feature feature;
  for (const int64_t value : values) feature.mutable_int64_list()->add_value(value);
  return feature;
}
pb::Feature Numbers(std::initializer_list<float> values) {
  pb::Feature feature;
  for (const float value : values) feature.mutable_float_list()->add_value(value);
  return feature;
}
pb::Feature Texts(std::initializer_list<const char*> values) {
  pb::Feature feature;
  feature.mutable_bytes_list();
  for (const char* const value : values) feature.mutable_bytes_list()->add_value(value);
  return feature;
}
void Add(pb::SequenceExample& message, const std::string& name, const pb::Feature& feature) {
  (*message.mutable_context()->mutable_feature())[name] = feature;
}
void AddList(pb::SequenceExample& message, const std::string& name, std::initializer_list<pb::Feature> features) {
  auto& list = (*message.mutable_feature_lists()->mutable_feature_list())[name];
  for (const pb::Feature& feature : features) *list.add_feature() = feature;
}

// A feature and a list of each kind.
std::string WholeMessage() {
  pb::SequenceExample message;
  Add(message, "sparse", Texts({"u", "v"}));
  Add(message, "dense", Integers({1, 2}));
  Add(message, "ragged", Numbers({0.5F}));
  AddList(message, "sparse list", {Integers({5}), Integers({}), Integers({6, 7})});
  AddList(message, "dense list", {Numbers({1, 2}), Numbers({3, 4})});
  AddList(message, "ragged list", {Texts({"x"}), Texts({"y", "z"})});
  return message.SerializeAsString();
}
// Neither a sparse feature nor a dense one, and no dense list.
std::string MessageWithout() {
  pb::SequenceExample message;
  Add(message, "ragged", Numbers({1.5F, 2.5F}));
  AddList(message, "sparse list", {Integers({8})});
  AddList(message, "ragged list", {Texts({})});
  return message.SerializeAsString();
}

// The inputs behind `serialized`, and attributes.
std::vector<Tensor> SequenceInputs(const Tensor& serialized, bool list_may_miss) {
  const auto key = [](const char* name) { return MakeVector<std::string>({name}); };
  return {serialized,
          Tensor(DType::kString, {0}),
          key("sparse"),
          key("dense"),
          key("ragged"),
          key("sparse list"),
          key("dense list"),
          key("ragged list"),
          MakeVector<bool>({list_may_miss}),
          MakeVector<int64_t>({8, 9})};
}
AttrMap SequenceAttrs() {
  using Types = std::vector<DType>;
  using enum DType;
  const std::vector<PartialShape> pair = {PartialShape({2})};
  return {{"Ncontext_sparse", int64_t{1}},
          {"context_sparse_types", Types{kString}},
          {"Tcontext_dense", Types{kInt64}},
          {"context_dense_shapes", pair},
          {"context_ragged_value_types", Types{kFloat}},
          {"context_ragged_split_types", Types{kInt32}},
          {"Nfeature_list_sparse", int64_t{1}},
          {"feature_list_sparse_types", Types{kInt64}},
          {"Nfeature_list_dense", int64_t{1}},
          {"feature_list_dense_types", Types{kFloat}},
          {"feature_list_dense_shapes", pair},
          {"feature_list_ragged_value_types", Types{kString}},
          {"feature_list_ragged_split_types", Types{kInt64}}};
}

TEST_P(WorkedOps, SequenceExamplesBecomeTensorsOfEachKind) {
  const Tensor messages = MakeVector<std::string>({WholeMessage(), MessageWithout()});
  const auto outputs = OutputsOf("ParseSequenceExampleV2", SequenceInputs(messages, true), SequenceAttrs());
  EXPECT_THAT(Elements<int64_t>(outputs[0]), ElementsAre(0, 0, 0, 1)) << "both of the first message";
  EXPECT_THAT(Elements<std::string>(outputs[1]), ElementsAre("u", "v"));
  EXPECT_THAT(Elements<int64_t>(outputs[2]), ElementsAre(2, 2));
  EXPECT_EQ(outputs[3].shape(), Shape({2, 2}));
  EXPECT_THAT(Elements<int64_t>(outputs[3]), ElementsAre(1, 2, 8, 9)) << "the second message has the default";
  EXPECT_THAT(Elements<float>(outputs[4]), ElementsAre(0.5F, 1.5F, 2.5F));
  EXPECT_THAT(Elements<int32_t>(outputs[5]), ElementsAre(0, 1, 3));
  EXPECT_THAT(Elements<int64_t>(outputs[6]), ElementsAre(0, 0, 0, 0, 2, 0, 0, 2, 1, 1, 0, 0)) << "message, row, place";
  EXPECT_THAT(Elements<int64_t>(outputs[7]), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(Elements<int64_t>(outputs[8]), ElementsAre(2, 3, 2)) << "two messages of up to three rows of up to two";
  EXPECT_EQ(outputs[9].shape(), Shape({2, 2, 2}));
  EXPECT_THAT(Elements<float>(outputs[9]), ElementsAre(1, 2, 3, 4, 0, 0, 0, 0));
  EXPECT_THAT(Elements<int64_t>(outputs[10]), ElementsAre(2, 0)) << "a list that is missing has no rows";
  EXPECT_THAT(Elements<std::string>(outputs[11]), ElementsAre("x", "y", "z"));
  EXPECT_THAT(Elements<int64_t>(outputs[12]), ElementsAre(0, 2, 3)) << "where the rows of each message begin";
  EXPECT_THAT(Elements<int64_t>(outputs[13]), ElementsAre(0, 1, 3, 3)) << "where the values of each row begin";
}

// Nothing has a dimension for messages; what would say where the rows of each begin, outputs 5 and 12, is a scalar that
// nobody has to read.
TEST_P(WorkedOps, OneSequenceExampleHasNoDimensionForMessages) {
  const Tensor message = MakeScalar(WholeMessage());
  const auto outputs = OutputsOf("ParseSequenceExampleV2", SequenceInputs(message, false), SequenceAttrs());
  EXPECT_THAT(Elements<int64_t>(outputs[0]), ElementsAre(0, 1));
  EXPECT_THAT(Elements<int64_t>(outputs[2]), ElementsAre(2));
  EXPECT_EQ(outputs[3].shape(), Shape({2}));
  EXPECT_EQ(outputs[5].shape(), Shape());
  EXPECT_THAT(Elements<int64_t>(outputs[6]), ElementsAre(0, 0, 2, 0, 2, 1));
  EXPECT_THAT(Elements<int64_t>(outputs[8]), ElementsAre(3, 2));
  EXPECT_EQ(outputs[9].shape(), Shape({2, 2}));
  EXPECT_EQ(outputs[10].scalar<int64_t>(), 2);
  EXPECT_EQ(outputs[12].shape(), Shape());
  EXPECT_THAT(Elements<int64_t>(outputs[13]), ElementsAre(0, 1, 3));
}

TEST_P(WorkedOps, AListMayMissOnlyWhereThatIsAllowed) {
  const auto parse = [&](const Tensor& messages) {
    return OutputsOf("ParseSequenceExampleV2", SequenceInputs(messages, false), SequenceAttrs());
  };
  const Status status = StatusOf([&] { parse(MakeVector<std::string>({WholeMessage(), MessageWithout()})); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("dense list"));
  const auto none = parse(Tensor(DType::kString, {0}));
  EXPECT_EQ(none[9].shape(), Shape({0, 0, 2}));
  EXPECT_THAT(Elements<int64_t>(none[10]), IsEmpty());
  EXPECT_THAT(Elements<int64_t>(none[12]), ElementsAre(0));
}

}  // namespace
}  // namespace plumb
