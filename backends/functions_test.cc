// Laws of calls that every backend keeps (clauses FN4–FN7).
#include "backends/backends_testing.h"
#include "backends/functions_testing.h"

namespace plumb {
namespace {

class Calls : public Functions {};
INSTANTIATE_TEST_SUITE_P(All, Calls, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

FunctionDef Below(const char* signature, float limit) {
  return MakeFunction(signature, "", {Float("limit", limit), Binary("less", "Less", "x", "limit:output:0")},
                      {{"b", "less:z:0"}});
}

// FN4, FN5: by name, by reference, in each other.
TEST_P(Calls, AreCalled) {
  const FunctionDef outer =
      MakeFunction("Outer(x: float32) -> (z: float32)", "",
                   {MakeNode("inner", "SquarePlus", {"x", "x"}), Call("again", Ref("SquarePlus"), {"inner:z:0", "x"})},
                   {{"z", "again:output:0"}});
  const GraphDef graph =
      MakeGraph({Float("two", 2), Float("three", 3), MakeNode("named", "SquarePlus", {"two", "three"}),
                 Call("referred", Ref("SquarePlus"), {"three", "two"}), MakeNode("outer", "Outer", {"two"})},
                {SquarePlus(), outer});
  EXPECT_EQ(Run(graph, {"named", "referred:0", "outer"}), (std::vector<float>{7, 11, 38})) << status_.ToString();
}

// FN5: results may be arguments, and constants.
TEST_P(Calls, GiveArgumentsAndConstants) {
  const FunctionDef function = MakeFunction("Pass(x: float32) -> (same: float32, five: float32)", "",
                                            {Float("five", 5)}, {{"same", "x"}, {"five", "five:output:0"}});
  const GraphDef graph = MakeGraph({Float("two", 2), MakeNode("call", "Pass", {"two"})}, {function});
  EXPECT_EQ(Run(graph, {"call:1", "call:0"}), (std::vector<float>{5, 2})) << status_.ToString();
}

// FN7.
TEST_P(Calls, ChooseBetweenBranches) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square")};
  for (const bool taken : {false, true}) {
    const GraphDef graph = MakeGraph({Float("three", 3), MakeConst(taken ? "yes" : "no", MakeScalar(taken)),
                                      If("if", {taken ? "yes" : "no", "three"}, Ref("Times"), Ref("Minus"))},
                                     library);
    EXPECT_EQ(Run(graph, {"if"}), std::vector<float>{taken ? 9.0f : -3.0f}) << status_.ToString();
  }
}

// FN7: numbers, strings and arrays say yes and no as well.
TEST_P(Calls, TakeConditionsOfManyTypes) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square")};
  std::vector<std::pair<Tensor, bool>> conditions = {{MakeScalar(0.5f), true},
                                                     {MakeScalar(0.25), true},
                                                     {MakeVector<float>({}), false},
                                                     {MakeVector<float>({0}), true}};
  const auto add = [&]<class T>(T no, T yes) {
    conditions.emplace_back(MakeScalar<T>(no), false);
    conditions.emplace_back(MakeScalar<T>(yes), true);
  };
  add(std::string(), std::string("x"));
  add(false, true);
  add(0.0f, -1.0f);
  add(0.0, -1.0);
  add(int8_t{0}, int8_t{-128});
  add(uint8_t{0}, uint8_t{128});
  add(int16_t{0}, int16_t{256});
  add(int32_t{0}, int32_t{65536});
  add(int64_t{0}, int64_t{1} << 32);
  for (size_t i = 0; i < conditions.size(); ++i) {
    const auto& [condition, taken] = conditions[i];
    const std::string name = Str("c", i);
    const GraphDef graph =
        MakeGraph({Float("three", 3), MakeConst(name, condition),
                   If("if", {name, "three"}, Ref("Times"), Ref("Minus"), condition.dtype(), "StatelessIf")},
                  library);
    EXPECT_EQ(Run(graph, {"if"}), std::vector<float>{taken ? 9.0f : -3.0f}) << i << ": " << status_.ToString();
  }
  const GraphDef complex = MakeGraph({Float("three", 3), MakeConst("z", MakeScalar(std::complex<float>(1, 0))),
                                      If("if", {"z", "three"}, Ref("Times"), Ref("Minus"), DType::kComplex64)},
                                     library);
  Run(complex, {"if"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
}

NodeDef Lowered(NodeDef node) {
  node.attrs.insert_or_assign("_lower_using_switch_merge", true);
  return node;
}

// FN7: where Switch takes the place of If, in a body as well.
TEST_P(Calls, TakeOnlyABoolScalarOfALoweredIf) {
  const std::vector<FunctionDef> library = {
      Unary("Minus(x: float32) -> (y: float32)", "Neg"), Unary("Times(x: float32) -> (y: float32)", "Square"),
      MakeFunction("Choose(c: bool, x: float32) -> (y: float32)", "",
                   {Lowered(If("inner", {"c", "x"}, Ref("Times"), Ref("Minus")))}, {{"y", "inner:output:0"}})};
  const auto choose = [&](const std::string& name, const Tensor& condition, const char* op) {
    return Run(MakeGraph({Float("three", 3), MakeConst(name, condition),
                          Lowered(If("if", {name, "three"}, Ref("Times"), Ref("Minus"), condition.dtype(), op))},
                         library),
               {"if"});
  };
  for (const char* const op : {"If", "StatelessIf"}) {
    EXPECT_EQ(choose("yes", MakeScalar(true), op), std::vector<float>{9}) << status_.ToString();
    EXPECT_EQ(choose("no", MakeScalar(false), op), std::vector<float>{-3}) << status_.ToString();
    const std::vector<Tensor> refused = {MakeVector<bool>({true}), MakeVector<bool>({}), MakeScalar(0.5f),
                                         MakeScalar<int32_t>(3), MakeScalar<std::string>("x")};
    for (size_t i = 0; i < refused.size(); ++i) {
      choose(Str("c", i), refused[i], op);
      EXPECT_EQ(status_.code(), Code::kInvalidArgument) << op << " of " << refused[i].ToString();
    }
  }
  const auto in_body = [&](const std::string& name, const Tensor& condition) {
    NodeDef call = Call("call", Ref("Choose"), {name, "three"});
    call.attrs.insert_or_assign("Tin", std::vector{DType::kBool, kFloat});
    return Run(MakeGraph({Float("three", 3), MakeConst(name, condition), call}, library), {"call"});
  };
  EXPECT_EQ(in_body("scalar", MakeScalar(true)), std::vector<float>{9}) << status_.ToString();
  in_body("vector", MakeVector<bool>({true}));
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
}

// FN7: an index that no branch has means the last.
TEST_P(Calls, ChooseByIndex) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square"),
                                            Unary("Root(x: float32) -> (y: float32)", "Sqrt")};
  const GraphDef graph =
      MakeGraph({Float("four", 4), MakeNode("index", "Placeholder", {}, {{"dtype", DType::kInt32}}),
                 MakeNode("case", "Case", {"index", "four"},
                          {{"Tin", std::vector{kFloat}},
                           {"Tout", std::vector{kFloat}},
                           {"branches", std::vector<FunctionRef>{Ref("Minus"), Ref("Times"), Ref("Root")}}})},
                library);
  const std::vector<std::pair<int32_t, float>> answers = {{0, -4}, {1, 16}, {2, 2}, {3, 2}, {-1, 2}};
  for (const auto& [index, answer] : answers) {
    EXPECT_EQ(Run(graph, {"case"}, {}, {{"index", MakeScalar(index)}}), std::vector<float>{answer})
        << status_.ToString();
  }
}

// FN7: also in each other, and without a single turn.
TEST_P(Calls, Loop) {
  const FunctionDef body =
      MakeFunction("Next(x: float32, sum: float32) -> (x1: float32, sum1: float32)", "",
                   {Float("one", 1), Binary("more", "Add", "x", "one:output:0"), Binary("total", "Add", "sum", "x")},
                   {{"x1", "more:z:0"}, {"sum1", "total:z:0"}});
  const FunctionDef nested = MakeFunction(
      "Outer(x: float32, sum: float32) -> (x1: float32, sum1: float32)", "",
      {Float("one", 1), Float("zero", 0), While("inner", {"zero:output:0", "sum"}, Ref("Below4"), Ref("Next")),
       Binary("more", "Add", "x", "one:output:0")},
      {{"x1", "more:z:0"}, {"sum1", "inner:output:1"}});
  const GraphDef graph =
      MakeGraph({Float("zero", 0), Float("nine", 9), While("loop", {"zero", "zero"}, Ref("Below4"), Ref("Next")),
                 While("none", {"nine", "zero"}, Ref("Below4"), Ref("Next")),
                 While("outer", {"zero", "zero"}, Ref("Below4"), Ref("Outer"))},
                {body, nested, Below("Below4(x: float32, sum: float32) -> (b: bool)", 4)});
  EXPECT_EQ(Run(graph, {"loop:0", "loop:1"}), (std::vector<float>{4, 6})) << status_.ToString();
  EXPECT_EQ(Run(graph, {"none:0", "none:1"}), (std::vector<float>{9, 0})) << status_.ToString();
  EXPECT_EQ(Run(graph, {"outer:0", "outer:1"}), (std::vector<float>{4, 24})) << status_.ToString();
}

// FN7: the same of a While, whose frame takes some turn at once.
TEST_P(Calls, TakeOnlyABoolScalarOfALoweredWhile) {
  const std::vector<FunctionDef> library = {
      Below("Below4(x: float32) -> (b: bool)", 4), Unary("Minus(x: float32) -> (y: float32)", "Neg"),
      MakeFunction("AddOne(x: float32) -> (y: float32)", "",
                   {Float("one", 1), Binary("more", "Add", "x", "one:output:0")}, {{"y", "more:z:0"}})};
  const auto loop = [&](const std::string& name, const Tensor& initial, const char* condition, int64_t parallel,
                        bool is_lowered) {
    NodeDef node = While(name, {"initial"}, Ref(condition), Ref("AddOne"));
    node.attrs.insert_or_assign("parallel_iterations", parallel);
    return Run(MakeGraph({MakeConst("initial", initial), is_lowered ? Lowered(node) : node}, library), {name});
  };
  EXPECT_EQ(loop("scalar", MakeScalar(0.0f), "Below4", 1, true), std::vector<float>{4}) << status_.ToString();
  EXPECT_EQ(loop("kept", MakeScalar(0.0f), "Below4", 0, false), std::vector<float>{4}) << status_.ToString();
  loop("vector", MakeVector<float>({0}), "Below4", 1, true);
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
  loop("number", MakeScalar(0.0f), "Minus", 1, true);
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
  for (const int64_t none : {0, -1}) {
    loop(Str("none", none + 1), MakeScalar(0.0f), "Below4", none, true);
    EXPECT_EQ(status_.code(), Code::kInvalidArgument) << none;
  }
}

// FN5: an executor that there is not fails the call when it runs, and no sooner.
TEST_P(Calls, RunInAnExecutorThatThereIs) {
  for (const char* const op : {"PartitionedCall", "StatefulPartitionedCall"}) {
    const auto call = [&](const std::string& type, const std::string& input) {
      NodeDef node = Call(Str(input == "two" ? "live" : "late", type), Ref("Minus"), {input}, 1, op);
      node.attrs.insert_or_assign("executor_type", type);
      const NodeDef dead = MakeNode("dead", "Switch", {"two", "no"}, FloatType());
      const NodeDef merge = MakeNode("either", "Merge", {node.name, "dead"}, {{"T", kFloat}, {"N", 2}});
      return Run(MakeGraph({Float("two", 2), MakeConst("no", MakeScalar(false)), dead, node, merge},
                           {Unary("Minus(x: float32) -> (y: float32)", "Neg")}),
                 {input == "two" ? node.name : "either"});
    };
    for (const char* const known : {"", "DEFAULT", "SINGLE_THREADED_EXECUTOR"}) {
      EXPECT_EQ(call(known, "two"), std::vector<float>{-2}) << known << ": " << status_.ToString();
    }
    EXPECT_TRUE(call("other", "two").empty());
    EXPECT_EQ(status_.code(), Code::kNotFound) << op;
    EXPECT_EQ(call("other", "dead:1"), std::vector<float>{2}) << status_.ToString();
  }
}

// FN5: messages that say nothing here, one of them at most.
TEST_P(Calls, AreConfiguredByAMessage) {
  const auto code = [&](const std::string& name, const std::string& config, const std::string& config_proto) {
    NodeDef node = Call(name, Ref("Minus"), {"two"});
    node.attrs.insert_or_assign("config", config);
    node.attrs.insert_or_assign("config_proto", config_proto);
    Run(MakeGraph({Float("two", 2), node}, {Unary("Minus(x: float32) -> (y: float32)", "Neg")}), {name});
    return status_.code();
  };
  const std::string threads = "\x10\x03";  // of a ConfigProto: intra_op_parallelism_threads is 3
  EXPECT_EQ(code("new", "", threads), Code::kOk) << status_.ToString();
  EXPECT_EQ(code("old", threads, ""), Code::kOk) << status_.ToString();
  EXPECT_EQ(code("both", threads, threads), Code::kInvalidArgument);
  EXPECT_EQ(code("new_text", "", "NHWC"), Code::kInvalidArgument);
  EXPECT_EQ(code("old_text", "NHWC", ""), Code::kInvalidArgument);
}

// FN5, X24: a loop variable whose Enter is dead loses its Exit, and a frame that waits for that is never done. What
// does not depend on it comes all the same.
TEST_P(Calls, EndWithFramesThatLackATokenLeft) {
  const auto in_frame = [](DType type, const char* frame) { return AttrMap{{"T", type}, {"frame_name", frame}}; };
  const AttrMap yes_or_no = {{"T", DType::kBool}};
  const auto merge = [](const std::string& of, DType type) {
    return MakeNode(of, "Merge", {of + "_in:output:0", of + "_next:output:0"}, {{"T", type}, {"N", 2}});
  };
  const FunctionDef starved =
      MakeFunction("Starved(x: float32) -> (y: float32, out: float32, never: float32)", "",
                   {MakeConst("yes", MakeScalar(true)),
                    MakeConst("no", MakeScalar(false)),
                    MakeNode("branch", "Switch", {"x", "no:output:0"}, FloatType()),
                    MakeNode("p_in", "Enter", {"yes:output:0"}, in_frame(DType::kBool, "first")),
                    MakeNode("v_in", "Enter", {"branch:output_true:0"}, in_frame(kFloat, "first")),
                    merge("p", DType::kBool),
                    merge("v", kFloat),
                    MakeNode("turn", "LoopCond", {"p:output:0"}),
                    MakeNode("p_switch", "Switch", {"p:output:0", "turn:output:0"}, yes_or_no),
                    MakeNode("v_switch", "Switch", {"v:output:0", "turn:output:0"}, FloatType()),
                    MakeNode("not", "LogicalNot", {"p_switch:output_true:0"}),
                    MakeNode("p_next", "NextIteration", {"not:y:0"}, yes_or_no),
                    MakeNode("v_next", "NextIteration", {"v_switch:output_true:0"}, FloatType()),
                    MakeNode("lost", "Exit", {"v_switch:output_false:0"}, FloatType()),
                    MakeNode("x_in", "Enter", {"x"}, in_frame(kFloat, "second")),
                    MakeNode("lost_in", "Enter", {"lost:output:0"}, in_frame(kFloat, "second")),
                    MakeNode("out", "Exit", {"x_in:output:0"}, FloatType()),
                    Binary("sum", "Add", "x_in:output:0", "lost_in:output:0"),
                    MakeNode("never", "Exit", {"sum:z:0"}, FloatType()),
                    MakeNode("minus", "Neg", {"x"}, FloatType())},
                   {{"y", "minus:y:0"}, {"out", "out:output:0"}, {"never", "never:output:0"}});
  const GraphDef graph = MakeGraph({Float("two", 2), Call("call", Ref("Starved"), {"two"}, 3)}, {starved});
  EXPECT_EQ(Run(graph, {"call:0", "call:1"}), (std::vector<float>{-2, 2})) << status_.ToString();
  Run(graph, {"call:2"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
}

// FN5: the first input names a device of the session.
TEST_P(Calls, AreCalledForADevice) {
  const GraphDef graph = MakeGraph(
      {Float("two", 2), Float("three", 3), MakeNode("target", "Placeholder", {}, {{"dtype", DType::kString}}),
       MakeNode("remote", "RemoteCall", {"target", "two", "three"},
                {{"Tin", std::vector{kFloat, kFloat}}, {"Tout", std::vector{kFloat}}, {"f", Ref("SquarePlus")}})},
      {SquarePlus()});
  const auto run = [&](Tensor target) { return Run(graph, {"remote"}, {}, {{"target", std::move(target)}}); };
  for (const char* const here : {"/cpu:0", "/job:localhost/replica:0/task:0/device:CPU:0", "/device:CPU:0"}) {
    EXPECT_EQ(run(MakeScalar<std::string>(here)), std::vector<float>{7}) << here << ": " << status_.ToString();
  }
  for (const char* const nowhere : {"/device:CPU:99", "/job:worker/task:3", "not a device"}) {
    EXPECT_TRUE(run(MakeScalar<std::string>(nowhere)).empty());
    EXPECT_EQ(status_.code(), Code::kInvalidArgument) << nowhere;
  }
  EXPECT_EQ(run(MakeVector<std::string>({"/cpu:0"})), std::vector<float>{7}) << status_.ToString();
  EXPECT_TRUE(run(MakeVector<std::string>({"/cpu:0", "/cpu:0"})).empty());
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
}

// Deviations from the mean of a batch tell whether it was padded.
FunctionDef Centred(const char* axis) {
  const AttrMap reduce = {{"T", kFloat}, {"Tidx", DType::kInt32}, {"keep_dims", false}};
  return MakeFunction(
      "Centred(x: float32, y: float32) -> (z: float32)", "",
      {MakeConst("axis", MakeScalar<int32_t>(0)), MakeNode("mean", "Mean", {"x", "axis:output:0"}, reduce),
       Binary("apart", "Sub", "x", "mean:output:0"), Binary("moved", "Add", "apart:z:0", "y")},
      {{"z", axis}});
}

GraphDef Batched(const std::vector<int64_t>& allowed, const char* result = "moved:z:0", bool splits = false) {
  return MakeGraph({MakeNode("x", "Placeholder", {}, {{"dtype", kFloat}}), Float("ten", 10),
                    MakeNode("batched", "BatchFunction", {"x", "ten"},
                             {{"f", Ref("Centred")},
                              {"Tin", std::vector{kFloat}},
                              {"Tcaptured", std::vector{kFloat}},
                              {"Tout", std::vector{kFloat}},
                              {"num_batch_threads", int64_t{1}},
                              {"max_batch_size", int64_t{4}},
                              {"batch_timeout_micros", int64_t{0}},
                              {"allowed_batch_sizes", allowed},
                              {"enable_large_batch_splitting", splits}})},
                   {Centred(result)});
}

// FN11: the mean is that of {2, 8, 2, 2}, where the batch is padded.
TEST_P(Calls, ArePaddedToABatch) {
  const Tensor rows = MakeVector<float>({2, 8});
  EXPECT_EQ(Run(Batched({}), {"batched"}, {}, {{"x", rows}}), std::vector<float>{7}) << status_.ToString();
  std::vector<Tensor> outputs;
  const auto session = OpenSession(GetParam(), {.threads = 2});
  ASSERT_TRUE(session->Extend(Batched({1, 4})).ok());
  const std::vector<Feed> feeds = {{"x", rows}};
  const std::vector<std::string> fetches = {"batched"};
  const Status status = session->Run(feeds, fetches, {}, &outputs);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(outputs[0].BitwiseEquals(MakeVector<float>({8.5, 14.5}))) << outputs[0].ToString();
}

// FN11.
TEST_P(Calls, RefuseWhatMakesNoBatch) {
  const auto code = [&](const GraphDef& graph, const Tensor& rows) {
    const auto session = OpenSession(GetParam(), {.threads = 2});
    EXPECT_TRUE(session->Extend(graph).ok());
    std::vector<Tensor> outputs;
    const std::vector<Feed> feeds = {{"x", rows}};
    const std::vector<std::string> fetches = {"batched"};
    return session->Run(feeds, fetches, {}, &outputs).code();
  };
  const Tensor one = MakeVector<float>({1}), none = MakeVector<float>({});
  EXPECT_EQ(code(Batched({1, 4}), one), Code::kOk);
  EXPECT_EQ(code(Batched({}), none), Code::kOk);
  EXPECT_EQ(code(Batched({1, 4}), none), Code::kInvalidArgument) << "nothing to copy";
  EXPECT_EQ(code(Batched({}), MakeScalar(1.0f)), Code::kInvalidArgument);
  EXPECT_EQ(code(Batched({}), MakeVector<float>({1, 2, 3, 4, 5})), Code::kInvalidArgument);
  EXPECT_EQ(code(Batched({2, 3}), one), Code::kInvalidArgument);
  EXPECT_EQ(code(Batched({2, 2, 4}), one), Code::kInvalidArgument);
  EXPECT_EQ(code(Batched({0, 4}), one), Code::kInvalidArgument);
  EXPECT_EQ(code(Batched({2, 3}, "moved:z:0", true), one), Code::kOk);
  EXPECT_EQ(code(Batched({2, 3}, "moved:z:0", true), MakeVector<float>({1, 2, 3, 4})), Code::kUnimplemented);
  EXPECT_EQ(code(Batched({}, "mean:output:0"), one), Code::kFailedPrecondition) << "no rows";
}

// FN5: outside of any call nothing feeds an argument.
TEST_P(Calls, AloneGiveArguments) {
  const NodeDef argument = MakeNode("lost", "_Arg", {}, {{"T", kFloat}, {"index", int64_t{0}}});
  const GraphDef graph = MakeGraph({argument, MakeNode("of_it", "Neg", {"lost"}, FloatType())}, {});
  EXPECT_TRUE(Run(graph, {"of_it"}).empty());
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
  EXPECT_THAT(status_.message(), testing::HasSubstr("the argument 'lost' of a function is not inside of a call"));
  EXPECT_EQ(Run(graph, {"of_it"}, {}, {{"lost", MakeScalar(2.0f)}}), std::vector<float>{-2}) << status_.ToString();
}

}  // namespace
}  // namespace plumb
