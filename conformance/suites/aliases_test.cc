// Which values alias a variable's buffer, on both sides, as TensorFlow answers (rules R31, R32, F28): ops that hand on
// what they get where there is nothing to do, and what objects give back of a variable that was written meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const std::vector<DType> kFloats = {DType::kFloat};

// Steps on a variable "v" of ones and nines: "set" fills it with "ones", "write" with "nines".
class Steps {
 public:
  Steps(std::string_view backend, const Shape& shape) : session_(OpenSession(backend)) {
    Add("v", "VariableV2", {}, {{"shape", PartialShape(shape)}, {"dtype", DType::kFloat}});
    Constant("ones", Filled(shape, 1));
    Constant("nines", Filled(shape, 9));
    Add("set", "Assign", {"v", "ones"});
    Add("write", "Assign", {"v", "nines"});
    Run("set");
  }

  void Add(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
    if (FindOp(op)->FindAttr("T") != nullptr) attrs.try_emplace("T", DType::kFloat);
    Extend(MakeNode(std::move(name), std::move(op), std::move(inputs), std::move(attrs)));
  }
  void Constant(const std::string& name, Tensor value) { Extend(MakeConst(name, std::move(value))); }

  void Run(const std::string& target) { Outputs({}, {target}); }
  std::vector<float> Fetch(const std::string& fetch, const std::vector<std::string>& targets = {}) {
    const std::vector<Tensor> outputs = Outputs({fetch}, targets);
    if (outputs.empty()) return {};
    const auto floats = outputs[0].data<float>();
    return {floats.begin(), floats.end()};
  }
  int32_t Number(const std::string& fetch) {
    const std::vector<Tensor> outputs = Outputs({fetch}, {});
    return outputs.empty() ? 0 : outputs[0].scalar<int32_t>();
  }

 private:
  static Tensor Filled(const Shape& shape, float number) {
    Tensor numbers(DType::kFloat, shape);
    for (float& each : numbers.mutable_data<float>()) each = number;
    return numbers;
  }
  void Extend(NodeDef node) {
    const std::string name = node.name;
    EXPECT_EQ(session_->Extend(MakeGraph({std::move(node)})).ToString(), "OK") << name;
  }
  std::vector<Tensor> Outputs(const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
    std::vector<Tensor> outputs;
    EXPECT_EQ(session_->Run({.timeout_ms = 60'000}, {}, fetches, targets, &outputs, nullptr).ToString(), "OK")
        << ::testing::PrintToString(fetches) << ", " << ::testing::PrintToString(targets);
    return outputs;
  }

  const std::unique_ptr<Session> session_;
};

class Aliases : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Backends, Aliases, ::testing::Values("reference", "cpu"));

// ---- Ops -----------------------------------------------------------------------------------------------------------

struct Handed {
  std::string op;
  std::vector<std::string> inputs;
  AttrMap attrs = {};
  Shape shape = {2, 1};  // of the variable
  std::string output = ":0";
};

// What the op's output shows when the step is over in which the variable was written after the op.
std::vector<float> Shown(std::string_view backend, const Handed& handed) {
  Steps steps(backend, handed.shape);
  steps.Constant("no_margins", Zeros(DType::kInt32, {2, 2}));
  steps.Constant("no_margins_of_1", Zeros(DType::kInt32, {1, 2}));
  steps.Constant("no_margins_of_0", Zeros(DType::kInt32, {0, 2}));
  steps.Constant("margins", MakeTensor<int32_t>({2, 2}, {0, 1, 0, 0}));
  steps.Constant("no_axes", Zeros(DType::kInt32, {0}));
  steps.Constant("in_order", MakeVector<int32_t>({0, 1}));
  steps.Constant("block", MakeVector<int32_t>({1}));
  steps.Constant("true", MakeScalar(true));
  steps.Constant("false", MakeScalar(false));
  steps.Constant("true_false", MakeTensor<bool>({2, 1}, {true, false}));
  steps.Constant("minus_one", MakeScalar<int32_t>(-1));
  steps.Constant("one", MakeScalar<int32_t>(1));
  steps.Constant("two", MakeScalar<int32_t>(2));
  steps.Constant("eight", MakeScalar(8.F));
  steps.Constant("rising", MakeTensor<int64_t>({2, 2}, {0, 3, 1, 0}));
  steps.Constant("falling", MakeTensor<int64_t>({2, 2}, {1, 0, 0, 3}));
  steps.Constant("repeated", MakeTensor<int64_t>({2, 2}, {1, 0, 1, 0}));
  steps.Constant("extents", MakeVector<int64_t>({2, 4}));
  steps.Constant("small_extents", MakeVector<int64_t>({2, 3}));
  steps.Add("y", handed.op, handed.inputs, handed.attrs);
  steps.Add("write_later", "Assign", {"v", "nines", "^y"});
  return steps.Fetch("y" + handed.output, {"write_later"});
}

const AttrMap kBand = {{"Tindex", DType::kInt32}}, kMirror = {{"mode", "SYMMETRIC"}};
AttrMap OfEquation(const char* equation) { return {{"equation", equation}, {"N", 1}}; }

TEST_P(Aliases, AreHandedOnWhereThereIsNothingToDo) {
  const std::vector<Handed> all = {
      {"Pad", {"v", "no_margins"}},
      {"Pad", {"v", "no_margins_of_0"}, {}, {}},
      {"PadV2", {"v", "no_margins", "eight"}},
      {"MirrorPad", {"v", "no_margins"}, kMirror},
      {"MirrorPadGrad", {"v", "no_margins"}, kMirror},
      {"Select", {"true", "v", "ones"}},
      {"Select", {"false", "ones", "v"}},
      {"MatrixBandPart", {"v", "minus_one", "one"}, kBand},  // all below, as many above as there are columns
      {"MatrixBandPart", {"v", "two", "minus_one"}, kBand},
      {"SpaceToBatchND", {"v", "block", "no_margins_of_1"}},
      {"BatchToSpaceND", {"v", "block", "no_margins_of_1"}},
      {"ReverseV2", {"v", "no_axes"}, {}, {}},
      {"RandomShuffle", {"v"}, {}, {1, 2}},
      {"SparseReorder", {"rising", "v", "extents"}, {}, {2}, ":1"},
      {"SparseFillEmptyRows", {"rising", "v", "extents", "eight"}, {}, {2}, ":1"},
      {"Einsum", {"v"}, OfEquation("ab->ab")},
      {"Einsum", {"v"}, OfEquation("...a->...a")},
  };
  for (const Handed& handed : all) EXPECT_THAT(Shown(GetParam(), handed), Each(9)) << handed.op;
}

TEST_P(Aliases, AreReadWhereThereIsSomethingToDo) {
  const std::vector<Handed> all = {
      {"MirrorPad", {"v", "margins"}, kMirror},
      {"Select", {"true_false", "v", "ones"}},
      {"SelectV2", {"true", "v", "ones"}},
      {"MatrixBandPart", {"v", "one", "minus_one"}, kBand},  // one below is all there is, too
      {"ReverseV2", {"v", "no_axes"}},
      {"RandomShuffle", {"v"}},
      {"ConjugateTranspose", {"v", "in_order"}},
      {"SparseReorder", {"falling", "v", "extents"}, {}, {2}, ":1"},
      {"SparseReorder", {"repeated", "v", "extents"}, {}, {2}, ":1"},
      {"SparseReorder", {"rising", "v", "small_extents"}, {}, {2}, ":1"},
      {"SparseFillEmptyRows", {"falling", "v", "extents", "eight"}, {}, {2}, ":1"},
      {"Einsum", {"v"}, OfEquation("ab->ba")},
      {"Einsum", {"v"}, OfEquation("a...->a...")},
  };
  for (const Handed& handed : all) EXPECT_THAT(Shown(GetParam(), handed), Each(1)) << handed.op;
}

// ---- Queues --------------------------------------------------------------------------------------------------------

// A queue of scalars "q", and the ops on it by name.
void AddQueue(Steps& steps, const std::string& op, int64_t capacity) {
  const AttrMap puts = {{"Tcomponents", kFloats}}, takes = {{"component_types", kFloats}};
  steps.Add("q", op, {},
            {{"component_types", kFloats},
             {"shapes", std::vector<PartialShape>{PartialShape(Shape())}},
             {"capacity", capacity}});
  steps.Constant("two", MakeScalar<int32_t>(2));
  steps.Constant("five", MakeScalar(5.F));
  steps.Add("put", "QueueEnqueueV2", {"q", "v"}, puts);
  steps.Add("put_five", "QueueEnqueueV2", {"q", "five"}, puts);
  steps.Add("put_rows", "QueueEnqueueManyV2", {"q", "v"}, puts);
  steps.Add("take", "QueueDequeueV2", {"q"}, takes);
  steps.Add("take_2", "QueueDequeueManyV2", {"q", "two"}, takes);
  steps.Add("take_up_to_2", "QueueDequeueUpToV2", {"q", "two"}, takes);
  steps.Add("size", "QueueSizeV2", {"q"});
}

// What somebody takes who holds the variable when it is written, before the other element comes.
std::vector<float> TakenAcrossAWrite(std::string_view backend, const std::string& queue, const std::string& take) {
  Steps steps(backend, {});
  AddQueue(steps, queue, 2);
  steps.Run("put");
  std::vector<float> taken;
  std::thread consumer([&] { taken = steps.Fetch(take); });
  while (steps.Number("size") > 0) std::this_thread::yield();
  steps.Run("write");
  steps.Run("put_five");
  consumer.join();
  return taken;
}

TEST_P(Aliases, AreReadWhenTheyAreTakenTogetherFromAQueue) {  // Q21, Q41
  for (const char* const take : {"take_2", "take_up_to_2"}) {
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "FIFOQueueV2", take), ElementsAre(1, 5)) << take;
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "RandomShuffleQueueV2", take), ElementsAre(1, 5)) << take;
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "PaddingFIFOQueueV2", take), ElementsAre(9, 5)) << take;
  }
}

TEST_P(Aliases, AreGivenBackByAQueue) {  // Q10, Q20
  Steps steps(GetParam(), {});
  AddQueue(steps, "FIFOQueueV2", 2);
  steps.Run("put");
  steps.Run("put");
  steps.Run("write");
  EXPECT_THAT(steps.Fetch("take", {}), ElementsAre(9));
  steps.Run("put_five");
  EXPECT_THAT(steps.Fetch("take_2"), ElementsAre(9, 5));
}

TEST_P(Aliases, AreReadRowByRowAsRowsGoIntoAQueue) {  // Q11
  Steps steps(GetParam(), {3});
  AddQueue(steps, "FIFOQueueV2", 1);
  std::thread producer([&] { steps.Run("put_rows"); });
  while (steps.Number("size") == 0) std::this_thread::yield();
  steps.Run("write");
  std::vector<float> taken;
  for (int i = 0; i < 3; ++i) taken.push_back(steps.Fetch("take").at(0));
  producer.join();
  EXPECT_THAT(taken, ElementsAre(1, 9, 9));
}

// ---- Other objects -------------------------------------------------------------------------------------------------

TEST_P(Aliases, AreGivenBackByWhatIsStaged) {  // Q71, Q72
  Steps steps(GetParam(), {});
  const AttrMap staged = {{"dtypes", kFloats}, {"shared_name", "s"}};
  steps.Constant("key", MakeScalar<int64_t>(3));
  steps.Constant("first", MakeVector<int32_t>({0}));
  steps.Constant("zero", MakeScalar<int32_t>(0));
  steps.Add("stage", "Stage", {"v"}, staged);
  steps.Add("peek", "StagePeek", {"zero"}, staged);
  steps.Add("unstage", "Unstage", {}, staged);
  for (const std::string map : {"Map", "OrderedMap"}) {
    AttrMap puts = staged;
    puts["fake_dtypes"] = kFloats;
    steps.Add(map + "_stage", map + "Stage", {"key", "first", "v"}, puts);
    steps.Add(map + "_peek", map + "Peek", {"key", "first"}, staged);
    steps.Add(map + "_unstage", map + "Unstage", {"key", "first"}, staged);
  }
  for (const std::string prefix : {"", "Map_", "OrderedMap_"}) {
    steps.Run("set");
    steps.Run(prefix + "stage");
    steps.Run("write");
    EXPECT_THAT(steps.Fetch(prefix + "peek"), ElementsAre(9)) << prefix;
    EXPECT_THAT(steps.Fetch(prefix + "unstage", {"set"}), ElementsAre(1)) << prefix << ": when the step is over";
  }
}

TEST_P(Aliases, AreKeptInTheSession) {  // S11
  Steps steps(GetParam(), {});
  steps.Add("keep", "GetSessionHandle", {"v"});
  steps.Add("write_later", "Assign", {"v", "nines", "^keep"});
  steps.Add("kept_after", "GetSessionTensor", {"keep", "^write_later"}, {{"dtype", DType::kFloat}});
  EXPECT_THAT(steps.Fetch("kept_after"), ElementsAre(9));
}

}  // namespace
}  // namespace plumb::conformance
