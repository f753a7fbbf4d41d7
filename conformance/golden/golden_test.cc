#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "client/scope.h"
#include "conformance/golden/golden_testing.h"
#include "conformance/golden/run.h"
#include "reference/test_graph.h"
#include "spec/files/file.h"

namespace plumb::conformance {
namespace {

using ::testing::HasSubstr;

TEST_F(Golden, EqualAnswersPassAndOthersFailAtTheirGate) {
  const auto results = Judged({FetchCase("7", Code::kOk, 7), FetchCase("8", Code::kOk, 9),
                               FetchCase("9", Code::kAborted), FetchCase("fail", Code::kAborted)});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].outcome, Outcome::kPassed);
  EXPECT_EQ(results[1].gate, "exact");
  EXPECT_EQ(results[1].detail, "step 1, '8': at [] actual {8}, TensorFlow {9}");
  EXPECT_EQ(results[2].gate, "status");
  EXPECT_EQ(results[3].outcome, Outcome::kPassed);
  EXPECT_EQ(results[0].compared, 2);  // the code and an element
  EXPECT_EQ(results[0].backend, "fake");
  EXPECT_EQ(results[0].gate, "exact");
  EXPECT_EQ(results[0].seconds, 0) << "nobody looked";
  EXPECT_EQ(results[3].compared, 1);
}

TEST_F(Golden, ACaseThatComparesNothingFails) {
  golden::Case empty;
  empty.set_name("empty");
  const auto results = Judged({empty});
  EXPECT_EQ(results.at(0).outcome, Outcome::kFailed);
  EXPECT_EQ(results.at(0).detail, "vacuous: nothing was compared");
}

TEST_F(Golden, AFailureSaysTheCommandThatShowsItAgain) {
  RecordWriter writer(folder_.path() + "/some.golden.gz", Compression::kGzip);
  writer.Write(FetchCase("a[0]", Code::kAborted).SerializeAsString());
  writer.Close();
  Ledger ledger;
  const auto files =
      RunGolden({.folder = folder_.path(), .backends = {"cpu"}, .worker = {}}, &ledger, [](const FileResults&) {});
  EXPECT_EQ(files.at(0).cases.at(0).reproduce,
            "plumb conformance golden " + folder_.path() + " --backend cpu --filter 'case_a\\[0]'");
}

// A wrong number is wrong for the reference too, though the reference shows it again under random rounding.
TEST_F(Golden, ExactAnswersAreNotForgivenBesideBoundedOnes) {
  Scope scope;
  Constant(scope, 7, "whole");
  Constant(scope, 1.5f, "real");
  golden::Case one;
  one.set_name("mixed");
  ToProto(scope.ToGraphDef(), one.mutable_graph());
  golden::Step* step = one.add_steps();
  step->add_fetches("whole");
  step->add_fetches("real");
  golden::Value* whole = step->add_values();
  golden::Value* real = step->add_values();
  ToProto(MakeScalar<float>(1.5f), real->mutable_tensor());
  real->set_check(golden::BOUNDED);
  for (const std::string_view name : {"reference", "cpu"}) {
    const Backend backend{std::string(name), [name] { return OpenSession(name); },
                          [](std::string_view) { return true; }};
    ToProto(MakeScalar<int32_t>(7), whole->mutable_tensor());
    EXPECT_EQ(Judged({one}, backend).at(0).outcome, Outcome::kPassed) << name;
    ToProto(MakeScalar<int32_t>(8), whole->mutable_tensor());
    EXPECT_EQ(Judged({one}, backend).at(0).outcome, Outcome::kFailed) << name;
  }
}

// F28: the Identity hands a reference's value on, the sum is a value of its own.
TEST_F(Golden, AResultNamesTheFetchesThatAreAliases) {
  const AttrMap type = {{"T", DType::kFloat}};
  golden::Case one;
  one.set_name("aliases");
  ToProto(reference::TestGraph()
              .Const<float>("one", 1)
              .Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}})
              .Add("set", "Assign", {"v", "one"}, type)
              .Add("same", "Identity", {"set"}, type)
              .Add("sum", "AddV2", {"same", "one"}, type)
              .def,
          one.mutable_graph());
  for (const auto& fetches : {std::vector<std::string>{"sum:0", "same:0"}, {"same:0", "set:0"}}) {
    golden::Step* step = one.add_steps();
    for (const std::string& fetch : fetches) {
      step->add_fetches(fetch);
      ToProto(MakeScalar<float>(fetch == "sum:0" ? 2 : 1), step->add_values()->mutable_tensor());
    }
  }
  const auto judged = [&](const std::string& name) {
    const Backend backend{name, [=] { return OpenSession(name); }, [](std::string_view) { return true; }};
    return Judged({one}, backend).at(0);
  };
  EXPECT_EQ(judged("reference").outcome, Outcome::kPassed) << judged("reference").detail;
  EXPECT_THAT(judged("reference").aliases, testing::ElementsAre("same:0", "set:0"));
  EXPECT_THAT(judged("cpu").aliases, testing::IsEmpty()) << "exact values are held against nothing but the record";
  one.mutable_steps(0)->mutable_values(0)->set_check(golden::BOUNDED);
  EXPECT_THAT(judged("cpu").aliases, testing::ElementsAre("same:0", "set:0"));
}

TEST_F(Golden, ACrashCostsOneCase) {
  const auto results = Judged({FetchCase("1", Code::kOk, 1), FetchCase("crash"), FetchCase("2", Code::kOk, 2)});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].outcome, Outcome::kPassed);
  EXPECT_EQ(results[1].name, "case_crash");
  EXPECT_EQ(results[1].outcome, Outcome::kFailed);
  EXPECT_EQ(results[1].gate, "crash");
  EXPECT_NE(results[1].detail.find("crashed"), std::string::npos);
  EXPECT_EQ(results[2].outcome, Outcome::kPassed);
}

TEST_F(Golden, AHangIsKilled) {
  timeout_ = std::chrono::milliseconds(100);
  const auto results = Judged({FetchCase("hang")});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[0].gate, "crash");
  EXPECT_EQ(results[0].detail, "hung: killed after 100 ms");
}

TEST_F(Golden, UnknownOpsAndMissingKernelsAreUnsupported) {
  golden::Case unknown = FetchCase("1"), missing = FetchCase("1");
  unknown.add_ops("NoSuchOp");
  missing.add_ops("Add");
  for (const CaseResult& result : Judged({unknown, missing})) {
    EXPECT_EQ(result.outcome, Outcome::kUnsupported);
    EXPECT_EQ(result.compared, 0);
  }
}

// What somebody else's backend does not declare for these types is not asked of it; a mistake elsewhere still is.
TEST_F(Golden, TypesThatABackendDoesNotDeclareAreUnsupported) {
  Backend declaring = Fake();
  declaring.declares = [](std::string_view op, const AttrMap&) { return op != "Neg"; };
  golden::Case declared = FetchCase("1"), undeclared = FetchCase("1");
  for (const auto& [one, op] : {std::pair(&declared, "Abs"), std::pair(&undeclared, "Neg")}) {
    pb::NodeDef* node = one->mutable_graph()->add_node();
    node->set_name("x");
    node->set_op("Placeholder");
    (*node->mutable_attr())["dtype"].set_type(pb::DT_FLOAT);
    pb::NodeDef* tried = one->mutable_graph()->add_node();
    tried->set_name("tried");
    tried->set_op(op);
    tried->add_input("x");
    (*tried->mutable_attr())["T"].set_type(pb::DT_FLOAT);
  }
  const auto results = Judged({declared, undeclared}, declaring);
  EXPECT_EQ(results.at(0).outcome, Outcome::kFailed) << "1 is not the recorded 0";
  EXPECT_EQ(results.at(1).outcome, Outcome::kUnsupported);
  EXPECT_THAT(results.at(1).detail, HasSubstr("Neg (no kernel for the types of 'tried')"));
}

// A case names the functions that its nodes call among its ops; what these need are the ops of their bodies.
TEST_F(Golden, CallsOfFunctionsAreNoOps) {
  golden::Case call = FetchCase("7", Code::kInvalidArgument);  // so the fake session answers any library
  call.set_refused(true);
  call.mutable_graph()->mutable_library()->add_function()->mutable_signature()->set_name("Twice");
  pb::NodeDef* node = call.mutable_graph()->add_node();
  node->set_name("call");
  node->set_op("Twice");
  call.add_ops("Twice");
  EXPECT_EQ(Judged({call})[0].outcome, Outcome::kPassed);
}

TEST_F(Golden, FilesAndStringsFollowTheFolder) {
  golden::Case one = FetchCase("string");
  golden::File* file = one.add_files();
  file->set_path("${DIR}/below/data");
  file->set_content("x");
  GraphDef graph;
  graph.nodes.push_back({.name = "string", .op = "Const", .inputs = {}, .device = {}, .attrs = {}, .debug_info = {}});
  graph.nodes[0].attrs = {{"value", MakeScalar<std::string>("${DIR}/below/data")}};
  ToProto(graph, one.mutable_graph());
  one.mutable_steps(0)->clear_values();
  ToProto(MakeScalar<std::string>("${DIR}/below/data"), one.mutable_steps(0)->add_values()->mutable_tensor());
  EXPECT_EQ(Judged({one})[0].outcome, Outcome::kPassed);

  const std::string path = folder_.path() + "/some.golden.gz";
  CaseReader reader(path);
  const auto read = reader.Next(folder_.path());
  EXPECT_EQ(ReadFile(folder_.path() + "/below/data"), "x");
  EXPECT_EQ(read->steps[0].values[0].tensor.scalar<std::string>(), folder_.path() + "/below/data");
}

TEST_F(Golden, ARefusedGraphAnswersWithItsStepsCode) {
  golden::Case refused = FetchCase("1", Code::kInvalidArgument);
  refused.set_refused(true);
  refused.mutable_graph()->mutable_library()->add_function()->mutable_signature()->set_name("f");
  EXPECT_EQ(Judged({refused})[0].outcome, Outcome::kPassed);
}

TEST_F(Golden, AFilterKeepsItsCases) {
  filter_ = "case_2";
  const auto results = Judged({FetchCase("1", Code::kOk, 1), FetchCase("2", Code::kOk, 2)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].name, "case_2");
}

TEST_F(Golden, ABrokenFileIsAFailure) {
  WriteFile(folder_.path() + "/x", "not gzip");
  FileWorker worker(folder_.path() + "/x", Fake(), {});
  while (!worker.done()) worker.OnInput();
  ASSERT_EQ(worker.results().size(), 1u);
  EXPECT_EQ(worker.results()[0].outcome, Outcome::kFailed);
}

}  // namespace
}  // namespace plumb::conformance
