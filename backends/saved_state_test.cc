// S10: a session that was saved and restored goes on as it would have gone on, whichever backends the two are.
#include "spec/session/saved_state.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <tuple>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/graph_def.h"
#include "spec/session/anonymous_name.h"

namespace plumb {
namespace {

// From one backend to another. A library's interface has no state to save.
class SavedSessions : public testing::TestWithParam<std::tuple<std::string_view, std::string_view>> {};
INSTANTIATE_TEST_SUITE_P(All, SavedSessions,
                         testing::Combine(testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                                          testing::ValuesIn(BackendNames().begin(), BackendNames().end())),
                         [](const auto& info) {
                           return Str(TestNameOf(std::get<0>(info.param)), "To", TestNameOf(std::get<1>(info.param)));
                         });

using Nodes = std::vector<NodeDef>;
using Names = std::vector<std::string>;

NodeDef Constant(const std::string& name, Tensor value) {
  const DType dtype = value.dtype();
  return {name, "Const", {}, "", {{"value", std::move(value)}, {"dtype", dtype}}, ""};
}

SavedState SavedOf(Session& session) {
  SavedState state;
  EXPECT_EQ(dynamic_cast<SavedSession&>(session).Save(&state).ToString(), "OK");
  return state;
}
Status RestoreInto(Session& session, const SavedState& state) {
  return dynamic_cast<SavedSession&>(session).Restore(state);
}

std::unique_ptr<Session> Extended(std::unique_ptr<Session> session, const Nodes& nodes, int producer = kGraphVersion) {
  EXPECT_EQ(session->Extend({nodes, {producer, 0, {}}, ""}).ToString(), "OK");
  return session;
}

// Both are asked the same, one thing after the other, and answer alike.
void ExpectEqualAnswers(Session& expected, Session& actual, const std::vector<Names>& steps) {
  for (const Names& fetches : steps) {
    std::vector<Tensor> wanted, given;
    const Status first = expected.Run({}, fetches, {}, &wanted), second = actual.Run({}, fetches, {}, &given);
    ASSERT_EQ(second.code(), first.code()) << fetches[0] << ": " << first.ToString() << "; " << second.ToString();
    for (size_t i = 0; first.ok() && i < fetches.size(); ++i) {
      EXPECT_TRUE(given[i].BitwiseEquals(wanted[i])) << fetches[i] << ": " << given[i].ToString();
    }
  }
}

// The law itself: `before` is run, as far as it goes, then the session is saved; what was restored may be saved again
// before it runs.
void ExpectToGoOn(const std::tuple<std::string_view, std::string_view>& backends, const Nodes& nodes,
                  const std::vector<Names>& before, const std::vector<Names>& after, int producer = kGraphVersion) {
  const auto open = [&](std::string_view backend) { return Extended(OpenSession(backend, {}), nodes, producer); };
  const auto original = open(std::get<0>(backends)), between = open(std::get<1>(backends));
  const auto last = open(std::get<1>(backends));
  for (const Names& targets : before) static_cast<void>(original->Run({}, {}, targets, nullptr));
  ASSERT_EQ(RestoreInto(*between, SavedOf(*original)).ToString(), "OK");
  ASSERT_EQ(RestoreInto(*last, SavedOf(*between)).ToString(), "OK");
  ExpectEqualAnswers(*original, *last, after);
}

const AttrMap kFloat = {{"T", DType::kFloat}}, kFloatType = {{"dtype", DType::kFloat}};

// What has been learned of classes, where a text has been read to, and that an object has been made.
TEST_P(SavedSessions, GoOnWithWhatTheirKernelsKeep) {
  const TemporaryFolder folder;
  const std::string text = folder.path() + "/text";
  WriteFile(text, "a b c d e f g h i j a b c d e f g h i j a c e g i b d f h j");
  const AttrMap learned = {{"num_true", 1},  {"num_sampled", 4}, {"unique", false},
                           {"range_max", 9}, {"seed", 3},        {"seed2", 5}};
  const AttrMap pairs = {{"filename", text}, {"batch_size", 7}, {"window_size", 2}, {"min_count", 1}};
  const Nodes nodes = {Constant("classes", MakeTensor<int64_t>({3, 1}, {2, 7, 2})),
                       {"learned", "LearnedUnigramCandidateSampler", {"classes"}, "", learned, ""},
                       {"pairs", "Skipgram", {}, "", pairs, ""},
                       {"stub", "StubResourceHandleOp", {}, "", {{"shared_name", "stub"}}, ""},
                       {"make", "ResourceCreateOp", {"stub"}, "", {}, ""}};
  const Names drawn = {"learned:0", "learned:1", "learned:2"}, read = {"pairs:3", "pairs:4", "pairs:5", "pairs:6"};
  constexpr int kOldGraphs = 18;  // those that may have Skipgram
  ExpectToGoOn(GetParam(), nodes, {drawn, drawn, read, {"make"}}, {drawn, drawn, read, read}, kOldGraphs);
  const auto original = Extended(OpenSession(std::get<0>(GetParam()), {}), nodes, kOldGraphs);
  const auto restored = Extended(OpenSession(std::get<1>(GetParam()), {}), nodes, kOldGraphs);
  const Names make = {"make"};
  ASSERT_EQ(original->Run({}, {}, make, nullptr).ToString(), "OK");
  ASSERT_EQ(RestoreInto(*restored, SavedOf(*original)).ToString(), "OK");
  EXPECT_EQ(restored->Run({}, {}, make, nullptr).code(), Code::kAlreadyExists);
}

// Variables of both kinds, those accessed by rows too, and streams of random ops.
TEST_P(SavedSessions, GoOnWithTheirVariablesAndStreams) {
  const Nodes nodes = {
      Constant("start", MakeVector<float>({1, 2, 3})),
      Constant("row", MakeVector<int32_t>({1})),
      Constant("size", MakeVector<int32_t>({3})),
      {"a/v", "VariableV2", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape({3})}}, ""},
      {"set_v", "Assign", {"a/v", "start"}, "", kFloat, ""},
      {"unset", "VariableV2", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape({3})}}, ""},
      {"is_set", "IsVariableInitialized", {"unset"}, "", kFloatType, ""},
      {"h", "VarHandleOp", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape({3})}}, ""},
      {"set_h", "AssignVariableOp", {"h", "start"}, "", kFloatType, ""},
      {"fresh",
       "VarHandleOp",
       {},
       "",
       {{"dtype", DType::kFloat}, {"shape", PartialShape({3})}, {"shared_name", std::string(kAnonymousName)}},
       ""},
      {"set_fresh", "AssignVariableOp", {"fresh", "start"}, "", kFloatType, ""},
      {"is_fresh_set", "VarIsInitializedOp", {"fresh"}, "", {}, ""},
      {"look",
       "ResourceGather",
       {"h", "row", "^read"},
       "",
       {{"dtype", DType::kFloat}, {"Tindices", DType::kInt32}},
       ""},
      {"a/draw",
       "RandomUniform",
       {"size"},
       "",
       {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", 5}, {"seed2", 7}},
       ""},
      {"add_v", "AssignAdd", {"a/v", "a/draw"}, "", kFloat, ""},
      {"add_h", "AssignAddVariableOp", {"h", "a/draw"}, "", kFloatType, ""},
      {"read", "ReadVariableOp", {"h", "^add_h"}, "", kFloatType, ""},
  };
  const Names all = {"add_v", "read", "a/draw", "a/v", "look", "is_set", "is_fresh_set"};
  ExpectToGoOn(GetParam(), nodes, {{"set_v", "set_h", "set_fresh", "is_set"}, {"add_v", "add_h", "look"}},
               {all, all, {"unset"}, all});
}

// Elements, aliases as what they show, and that a queue is closed.
TEST_P(SavedSessions, GoOnWithTheirQueues) {
  const std::vector<DType> numbers = {DType::kFloat}, mixed = {DType::kFloat, DType::kString};
  const Nodes nodes = {
      Constant("rows", MakeVector<float>({1, 2, 3})),
      Constant("text", MakeScalar<std::string>("text")),
      {"v", "VariableV2", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape({3})}}, ""},
      {"set_v", "Assign", {"v", "rows"}, "", kFloat, ""},
      {"q",
       "FIFOQueueV2",
       {},
       "",
       {{"component_types", numbers}, {"shapes", std::vector<PartialShape>{PartialShape(Shape())}}, {"capacity", 4}},
       ""},
      {"put", "QueueEnqueueManyV2", {"q", "rows"}, "", {{"Tcomponents", numbers}}, ""},
      {"take", "QueueDequeueV2", {"q"}, "", {{"component_types", numbers}}, ""},
      {"left", "QueueSizeV2", {"q", "^take"}, "", {}, ""},
      {"p", "FIFOQueueV2", {}, "", {{"component_types", mixed}, {"shared_name", "shared"}}, ""},
      {"put_p", "QueueEnqueueV2", {"p", "v", "text"}, "", {{"Tcomponents", mixed}}, ""},
      {"close", "QueueCloseV2", {"p"}, "", {}, ""},
      {"take_p", "QueueDequeueV2", {"p"}, "", {{"component_types", mixed}}, ""},
      {"is_closed", "QueueIsClosedV2", {"p"}, "", {}, ""},
      {"is_open", "QueueIsClosedV2", {"q"}, "", {}, ""},
      {"other", "FIFOQueueV2", {}, "", {{"component_types", numbers}, {"shared_name", "shared"}}, ""},
      {"none", "QueueSizeV2", {"other"}, "", {}, ""},
  };
  ExpectToGoOn(GetParam(), nodes, {{"set_v", "put"}, {"take"}, {"put_p"}, {"put_p"}, {"close"}},
               {{"is_closed", "is_open"},
                {"take", "left"},
                {"take_p:0", "take_p:1"},
                {"take_p:0"},
                {"take_p:0"},
                {"take", "left"},
                {"none"},
                {"put_p"}});
}

// Contents, types, and whether a table that is filled once has been filled. Words come in the order in which every
// backend exports them (L7).
TEST_P(SavedSessions, GoOnWithTheirTables) {
  const AttrMap words = {{"key_dtype", DType::kString}, {"value_dtype", DType::kFloat}};
  const AttrMap numbers = {{"key_dtype", DType::kInt64}, {"value_dtype", DType::kInt64}};
  const AttrMap of_words = {{"Tin", DType::kString}, {"Tout", DType::kFloat}};
  const AttrMap of_numbers = {{"Tin", DType::kInt64}, {"Tout", DType::kInt64}};
  const AttrMap of_pairs = {{"Tkey", DType::kInt64}, {"Tval", DType::kInt64}};
  const Nodes nodes = {
      Constant("words", MakeVector<std::string>({"a", "b", "c"})),
      Constant("values", MakeVector<float>({2, 1, 3})),
      Constant("none", MakeScalar<float>(-1)),
      Constant("keys", MakeVector<int64_t>({7, -3})),
      Constant("key", MakeVector<int64_t>({7})),
      Constant("twice", MakeVector<int64_t>({5, 5})),
      Constant("zero", MakeScalar<int64_t>(0)),
      {"changes", "MutableHashTableV2", {}, "", words, ""},
      {"insert", "LookupTableInsertV2", {"changes", "words", "values"}, "", of_words, ""},
      {"look", "LookupTableFindV2", {"changes", "words", "none"}, "", of_words, ""},
      {"all", "LookupTableExportV2", {"changes"}, "", {{"Tkeys", DType::kString}, {"Tvalues", DType::kFloat}}, ""},
      {"empty", "MutableHashTableV2", {}, "", words, ""},
      {"size", "LookupTableSizeV2", {"empty"}, "", {}, ""},
      {"once", "HashTableV2", {}, "", numbers, ""},
      {"fill", "InitializeTableV2", {"once", "keys", "keys"}, "", of_pairs, ""},
      {"find", "LookupTableFindV2", {"once", "keys", "zero"}, "", of_numbers, ""},
      {"half", "HashTableV2", {}, "", numbers, ""},
      {"contradict", "InitializeTableV2", {"half", "twice", "keys"}, "", of_pairs, ""},
      {"repeat", "InitializeTableV2", {"half", "key", "key"}, "", of_pairs, ""},
      {"five", "Identity", {"zero", "^repeat"}, "", {{"T", DType::kInt64}}, ""},
      {"find_half", "LookupTableFindV2", {"half", "twice", "zero"}, "", of_numbers, ""},
  };
  ExpectToGoOn(GetParam(), nodes, {{"insert"}, {"size"}, {"fill"}, {"contradict"}},
               {{"look", "all:0", "all:1", "size"}, {"find"}, {"find_half"}, {"five"}, {"find_half"}});
}

// Tuples that are complete, and those that are not, of a barrier that takes keys, no more keys, or nothing any more.
TEST_P(SavedSessions, GoOnWithTheirBarriers) {
  const std::vector<DType> types(2, DType::kFloat);
  const std::vector<PartialShape> scalars(2, PartialShape(Shape()));
  const auto insert = [](const std::string& name, const Names& inputs, int component) {
    return NodeDef{name, "BarrierInsertMany", inputs, "", {{"T", DType::kFloat}, {"component_index", component}}, ""};
  };
  const auto after = [](const std::string& name, const std::string& node) {
    return NodeDef{name, "Identity", {"one", "^" + node}, "", kFloat, ""};
  };
  const Nodes nodes = {
      Constant("ab", MakeVector<std::string>({"a", "b"})),
      Constant("a", MakeVector<std::string>({"a"})),
      Constant("b", MakeVector<std::string>({"b"})),
      Constant("c", MakeVector<std::string>({"c"})),
      Constant("two", MakeScalar<int32_t>(2)),
      Constant("one", MakeVector<float>({1})),
      Constant("both", MakeVector<float>({2, 3})),
      {"barrier", "Barrier", {}, "", {{"component_types", types}, {"shapes", scalars}}, ""},
      insert("begin", {"barrier", "ab", "both"}, 0),
      insert("finish_b", {"barrier", "b", "one"}, 1),
      insert("begin_c", {"barrier", "c", "one"}, 0),
      insert("finish_a", {"barrier", "a", "one"}, 1),
      after("c_has_begun", "begin_c"),
      after("a_is_there", "finish_a"),
      {"close", "BarrierClose", {"barrier"}, "", {{"cancel_pending_enqueues", false}}, ""},
      {"cancel", "BarrierClose", {"barrier"}, "", {{"cancel_pending_enqueues", true}}, ""},
      {"ready", "BarrierReadySize", {"barrier"}, "", {}, ""},
      {"begun", "BarrierIncompleteSize", {"barrier"}, "", {}, ""},
      {"take", "BarrierTakeMany", {"barrier", "two"}, "", {{"component_types", types}}, ""},
  };
  const Names take = {"take:0", "take:1", "take:2", "take:3"};
  const std::vector<Names> put = {{"begin"}, {"finish_b"}},
                           go_on = {{"ready", "begun"}, {"c_has_begun"}, {"a_is_there"}};
  for (const std::string close : {"", "close", "cancel"}) {
    std::vector<Names> before = put, then = go_on;
    if (!close.empty()) before.push_back({close});
    then.push_back(take);
    if (!close.empty()) then.push_back(take);  // who waits for a barrier that is open waits for ever
    ExpectToGoOn(GetParam(), nodes, before, then);
  }
}

// A list of lists in a variable: each implementation has objects of its own for them.
TEST_P(SavedSessions, GoOnWithTheirVariants) {
  const AttrMap of_floats = {{"element_dtype", DType::kFloat}}, of_lists = {{"element_dtype", DType::kVariant}};
  const AttrMap variant = {{"dtype", DType::kVariant}};
  const AttrMap stacked = {{"element_dtype", DType::kFloat}, {"num_elements", -1}};
  const Nodes nodes = {
      Constant("any", MakeScalar<int32_t>(-1)),
      Constant("zero", MakeScalar<int32_t>(0)),
      Constant("row", MakeVector<float>({1, 2})),
      {"h", "VarHandleOp", {}, "", {{"dtype", DType::kVariant}, {"shape", PartialShape(Shape())}}, ""},
      {"none",
       "EmptyTensorList",
       {"any", "any"},
       "",
       {{"element_dtype", DType::kFloat}, {"shape_type", DType::kInt32}},
       ""},
      {"list", "TensorListPushBack", {"none", "row"}, "", of_floats, ""},
      {"no_lists",
       "EmptyTensorList",
       {"any", "any"},
       "",
       {{"element_dtype", DType::kVariant}, {"shape_type", DType::kInt32}},
       ""},
      {"lists", "TensorListPushBack", {"no_lists", "list"}, "", of_lists, ""},
      {"set", "AssignVariableOp", {"h", "lists"}, "", variant, ""},
      {"read", "ReadVariableOp", {"h"}, "", variant, ""},
      {"more", "TensorListPushBack", {"read", "list"}, "", of_lists, ""},
      {"add", "AssignVariableOp", {"h", "more"}, "", variant, ""},
      {"size", "TensorListLength", {"read"}, "", {}, ""},
      {"within", "TensorListGetItem", {"read", "zero", "any"}, "", of_lists, ""},
      {"rows", "TensorListStack", {"within", "any"}, "", stacked, ""},
  };
  ExpectToGoOn(GetParam(), nodes, {{"set"}, {"add"}}, {{"size", "rows"}, {"size", "rows"}});
}

TEST_P(SavedSessions, RefuseToBeSavedWhileAStepRuns) {
  const std::vector<DType> numbers = {DType::kFloat};
  const Nodes nodes = {Constant("one", MakeScalar<float>(1)),
                       {"q", "FIFOQueueV2", {}, "", {{"component_types", numbers}}, ""},
                       {"put", "QueueEnqueueV2", {"q", "one"}, "", {{"Tcomponents", numbers}}, ""},
                       {"take", "QueueDequeueV2", {"q"}, "", {{"component_types", numbers}}, ""}};
  const auto session = Extended(OpenSession(std::get<0>(GetParam()), {}), nodes);
  std::thread waits([&] { EXPECT_TRUE(session->Run({}, {}, Names{"take"}, nullptr).ok()); });
  SavedState state;
  Status refused;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (refused.ok() && std::chrono::steady_clock::now() < end) {
    refused = dynamic_cast<SavedSession&>(*session).Save(&state);
  }
  EXPECT_EQ(refused.code(), Code::kFailedPrecondition) << refused.ToString();
  EXPECT_TRUE(session->Run({}, {}, Names{"put"}, nullptr).ok());
  waits.join();
  SavedOf(*session);
}

TEST_P(SavedSessions, RefuseWhatIsDamaged) {
  const Nodes nodes = {Constant("one", MakeScalar<float>(1)),
                       {"v", "VariableV2", {}, "", {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}}, ""},
                       {"set", "Assign", {"v", "one"}, "", kFloat, ""}};
  const auto original = Extended(OpenSession(std::get<0>(GetParam()), {}), nodes);
  ASSERT_TRUE(original->Run({}, {}, Names{"set"}, nullptr).ok());
  SavedState damaged = SavedOf(*original);
  damaged.erase(damaged.lower_bound("resources/"));
  EXPECT_EQ(RestoreInto(*OpenSession(std::get<1>(GetParam()), {}), damaged).code(), Code::kDataLoss);
}

}  // namespace
}  // namespace plumb
