// What a record says is what the case holds; what makes no sense is said where it stands.
#include "conformance/golden/case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/golden/golden_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Cases : public testing::Test {
 protected:
  CaseReader Reader(const std::vector<std::string>& records) {
    const std::string path = folder_.path() + "/some.golden.gz";
    RecordWriter writer(path, Compression::kGzip);
    for (const std::string& record : records) writer.Write(record);
    writer.Close();
    return CaseReader(path);
  }
  GoldenCase Read(const golden::Case& one) { return *Reader({one.SerializeAsString()}).Next(folder_.path()); }

  const TemporaryFolder folder_;
};

NodeDef NodeWith(AttrMap attrs) { return {"node", "Const", {}, "", std::move(attrs), ""}; }

TEST_F(Cases, StringsNameTheFolderWhereverTheyStand) {
  GraphDef graph;
  graph.nodes = {NodeWith({{"text", "${DIR}/a ${DIR}/b${DIR}"},
                           {"list", std::vector<std::string>{"${DIR}", "DIR", "x${DIR}"}},
                           {"tensor", MakeVector<std::string>({"a", "${DIR}"})},
                           {"number", 7}})};
  golden::Case one = FetchCase("1");
  ToProto(graph, one.mutable_graph());
  golden::Feed* const feed = one.mutable_steps(0)->add_feeds();
  feed->set_name("x");
  ToProto(MakeScalar<std::string>("${DIR}${DIR}"), feed->mutable_value());
  ToProto(MakeScalar<std::string>("${DIR}!"), one.add_observed()->add_values()->mutable_tensor());
  const std::string here = folder_.path();
  const GoldenCase golden = Read(one);
  const AttrMap& attrs = golden.graph.nodes.at(0).attrs;
  EXPECT_EQ(GetAttr<std::string>(attrs, "text"), here + "/a " + here + "/b" + here);
  EXPECT_THAT(GetAttr<std::vector<std::string>>(attrs, "list"), ElementsAre(here, "DIR", "x" + here));
  EXPECT_THAT(GetAttr<Tensor>(attrs, "tensor").data<std::string>(), ElementsAre("a", here));
  EXPECT_EQ(GetAttr<int64_t>(attrs, "number"), 7);
  EXPECT_EQ(golden.steps[0].request.feeds.at(0).second.scalar<std::string>(), here + here);
  EXPECT_EQ(golden.observed.at(0).values.at(0).scalar<std::string>(), here + "!");
}

// A folder whose name is the mark is named once, and not for ever.
TEST_F(Cases, AFolderMayBeCalledAsTheMark) {
  GraphDef graph;
  graph.nodes = {NodeWith({{"text", "${DIR}/x"}})};
  golden::Case one = FetchCase("1");
  ToProto(graph, one.mutable_graph());
  CaseReader cases = Reader({one.SerializeAsString()});
  EXPECT_EQ(GetAttr<std::string>(cases.Next("/a/${DIR}")->graph.nodes.at(0).attrs, "text"), "/a/${DIR}/x");
}

TEST_F(Cases, FilesAreWrittenInTheFolderAndNowhereElse) {
  golden::Case one = FetchCase("1");
  const auto add = [&](const std::string& path) {
    golden::File* const file = one.add_files();
    file->set_path(path);
    file->set_content(path);
  };
  add("relative/data");
  add("${DIR}/data");
  add("dots..in/..a/name");
  EXPECT_TRUE(Read(one).contents_status.ok());
  for (const char* path : {"relative/data", "data", "dots..in/..a/name"}) {
    EXPECT_THAT(ReadFile(folder_.path() + "/" + path), HasSubstr("/")) << path;
  }
  for (const char* path : {"below/../../outside", "${DIR}/../outside", "../outside"}) {
    one.clear_files();
    add(path);
    const Status refused = Read(one).contents_status;
    EXPECT_EQ(refused.code(), Code::kInvalidArgument) << path;
    EXPECT_THAT(refused.message(), HasSubstr("leaves the folder of its case"));
  }
}

TEST_F(Cases, StepsAreAsTheyWereRecorded) {
  golden::Case one = FetchCase("7", Code::kOk, 7);
  one.set_refused(true);
  golden::Step* const step = one.add_steps();
  step->add_fetches("a:0");
  step->add_fetches("b:0");
  step->add_targets("c");
  step->set_code(static_cast<int>(Code::kAborted));
  step->set_message("why");
  step->set_group(3);
  for (const golden::Check check : {golden::EXACT, golden::BOUNDED, golden::SHAPE}) {
    golden::Value* const value = step->add_values();
    value->set_check(check);
    ToProto(MakeScalar<int32_t>(check), value->mutable_tensor());
  }
  golden::Outcome* const outcome = one.add_observed();
  outcome->add_codes(0);
  outcome->add_codes(static_cast<int>(Code::kCancelled));
  const GoldenCase golden = Read(one);
  EXPECT_EQ(golden.name, "case_7");
  EXPECT_TRUE(golden.refused);
  EXPECT_TRUE(golden.graph_status.ok());
  ASSERT_EQ(golden.steps.size(), 2u);
  EXPECT_EQ(golden.steps[0].code, Code::kOk);
  EXPECT_EQ(golden.steps[0].group, 0);
  const RecordedStep& second = golden.steps[1];
  EXPECT_THAT(second.request.fetches, ElementsAre("a:0", "b:0"));
  EXPECT_THAT(second.request.targets, ElementsAre("c"));
  EXPECT_EQ(second.code, Code::kAborted);
  EXPECT_EQ(second.message, "why");
  EXPECT_EQ(second.group, 3);
  ASSERT_EQ(second.values.size(), 3u);
  const Check checks[] = {Check::kExact, Check::kBounded, Check::kType};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(second.values[static_cast<size_t>(i)].check, checks[i]);
    EXPECT_EQ(second.values[static_cast<size_t>(i)].tensor.scalar<int32_t>(), i);
  }
  EXPECT_THAT(golden.observed.at(0).codes, ElementsAre(Code::kOk, Code::kCancelled));
}

TEST_F(Cases, WhatMakesNoSenseIsSaid) {
  golden::Case unknown_check = FetchCase("7", Code::kOk, 7);
  unknown_check.mutable_steps(0)->mutable_values(0)->set_check(static_cast<golden::Check>(golden::SHAPE + 1));
  EXPECT_EQ(Read(unknown_check).contents_status.code(), Code::kInvalidArgument);
  golden::Case bad_value = FetchCase("7", Code::kOk, 7);
  bad_value.mutable_steps(0)->mutable_values(0)->mutable_tensor()->set_tensor_content("?");
  EXPECT_FALSE(Read(bad_value).contents_status.ok());
  EXPECT_TRUE(Read(bad_value).graph_status.ok());
  golden::Case bad_graph = FetchCase("7", Code::kOk, 7);
  pb::NodeDef* const node = bad_graph.mutable_graph()->add_node();
  node->set_name("node");
  pb::TensorProto* const value = (*node->mutable_attr())["value"].mutable_tensor();
  value->set_dtype(pb::DT_INT32);
  value->set_tensor_content("?");
  EXPECT_FALSE(Read(bad_graph).graph_status.ok());
  EXPECT_TRUE(Read(bad_graph).contents_status.ok());
  EXPECT_EQ(Read(bad_graph).steps.size(), 1u);
}

TEST_F(Cases, ArePassedOverOneByOne) {
  golden::Case first = FetchCase("1"), second = FetchCase("2");
  first.add_ops("Neg");
  first.add_ops("Abs");
  second.add_ops("Body");
  second.add_ops("Add");
  second.mutable_graph()->mutable_library()->add_function()->mutable_signature()->set_name("Body");
  const std::vector<std::string> records = {first.SerializeAsString(), second.SerializeAsString(), "no case"};
  CaseReader names = Reader(records);
  EXPECT_EQ(names.Skip(), "case_1");
  EXPECT_EQ(names.Skip(), "case_2");
  CaseReader ops = Reader(records);
  EXPECT_THAT(*ops.SkipForOps(), ElementsAre("Abs", "Neg"));
  EXPECT_THAT(*ops.SkipForOps(), ElementsAre("Add")) << "a call of a function is no op";
  for (const int how : {0, 1, 2}) {
    CaseReader cases = Reader({"no case"});
    try {
      how == 0 ? cases.Skip().has_value() : how == 1 ? cases.SkipForOps().has_value() : cases.Next("").has_value();
      ADD_FAILURE() << how;
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kDataLoss);
    }
    CaseReader empty = Reader({});
    EXPECT_FALSE(how == 0   ? empty.Skip().has_value()
                 : how == 1 ? empty.SkipForOps().has_value()
                            : empty.Next("").has_value());
  }
}

}  // namespace
}  // namespace plumb::conformance
