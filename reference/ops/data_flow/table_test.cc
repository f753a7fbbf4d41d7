#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test_graph.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const AttrMap kTypes = {{"Tin", DType::kInt64}, {"Tout", DType::kFloat}};

Tensor Keys(std::initializer_list<int64_t> keys) { return MakeVector<int64_t>(keys); }
Tensor Floats(std::initializer_list<float> values) { return MakeVector<float>(values); }

// A table "t" from int64 to float, whose ops take fed keys and values.
class TableSession {
 public:
  explicit TableSession(const std::string& op) : session_(Graph(op)) {}

  RunResult Run(const std::string& node, Tensor keys = Keys({}), Tensor values = Floats({})) {
    const std::vector<Feed> feeds = {{"keys", std::move(keys)}, {"values", std::move(values)}};
    const bool has_output = node.starts_with("find") || node == "size" || node == "export";
    return has_output ? session_.Run({node}, feeds) : session_.Run({}, feeds, {node});
  }
  std::vector<float> Find(std::initializer_list<int64_t> keys) {
    const RunResult result = Run("find", Keys(keys));
    EXPECT_TRUE(result.status.ok()) << result.status.ToString();
    const auto data = result.outputs.at(0).data<float>();
    return {data.begin(), data.end()};
  }
  int64_t size() { return Run("size").scalar<int64_t>(); }

 private:
  static TestGraph Graph(const std::string& op) {
    TestGraph graph;
    graph.Add("t", op, {}, {{"key_dtype", DType::kInt64}, {"value_dtype", DType::kFloat}});
    graph.Add("keys", "Placeholder", {}, {{"dtype", DType::kInt64}});
    graph.Add("values", "Placeholder", {}, {{"dtype", DType::kFloat}}).Const<float>("default", -1);
    graph.Add("init", "InitializeTableV2", {"t", "keys", "values"}, {{"Tkey", DType::kInt64}, {"Tval", DType::kFloat}});
    graph.Add("insert", "LookupTableInsertV2", {"t", "keys", "values"}, kTypes);
    graph.Add("import", "LookupTableImportV2", {"t", "keys", "values"}, kTypes);
    graph.Add("remove", "LookupTableRemoveV2", {"t", "keys"}, {{"Tin", DType::kInt64}});
    graph.Add("find", "LookupTableFindV2", {"t", "keys", "default"}, kTypes).Add("size", "LookupTableSizeV2", {"t"});
    graph.Add("find_for_each", "LookupTableFindV2", {"t", "keys", "values"}, kTypes);
    graph.Add("export", "LookupTableExportV2", {"t"}, {{"Tkeys", DType::kInt64}, {"Tvalues", DType::kFloat}});
    return graph;
  }

  TestSession session_;
};

TEST(Table, IsFilledOnce) {  // L1, L2, L4, L7
  TableSession table("HashTableV2");
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.Run("find", Keys({1})).code(), Code::kFailedPrecondition);
  EXPECT_EQ(table.Run("export").code(), Code::kAborted);
  EXPECT_EQ(table.Run("init", Keys({1, 2}), Floats({1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(table.Run("init", Keys({}), Floats({})).code(), Code::kInvalidArgument);
  EXPECT_EQ(table.Run("init", Keys({5, 3, 5}), Floats({50, 30, 50})).code(), Code::kOk);
  EXPECT_EQ(table.size(), 2);
  EXPECT_THAT(table.Find({3, 4, 5}), ElementsAre(30, -1, 50));
  EXPECT_THAT(table.Run("export").outputs.at(0).data<int64_t>(), ElementsAre(3, 5));
  EXPECT_EQ(table.Run("init", Keys({8, 9}), Floats({0, 0})).code(), Code::kOk);  // as many: ignored
  EXPECT_THAT(table.Find({8}), ElementsAre(-1));
  EXPECT_EQ(table.Run("init", Keys({8}), Floats({0})).code(), Code::kFailedPrecondition);
  EXPECT_EQ(table.Run("insert", Keys({8}), Floats({0})).code(), Code::kUnimplemented);
  EXPECT_EQ(table.Run("remove", Keys({8})).code(), Code::kUnimplemented);
  EXPECT_EQ(table.Run("insert", Keys({8}), Floats({0, 1})).code(), Code::kInvalidArgument);
  EXPECT_THAT(table.Run("find_for_each", Keys({8, 3, 9}), Floats({1, 2, 3})).outputs.at(0).data<float>(),
              ElementsAre(1, 30, 1));
  EXPECT_EQ(table.Run("find_for_each", Keys({8}), Floats({0, 1})).code(), Code::kInvalidArgument);
}

TEST(Table, KeepsWhatCameBeforeAConflict) {  // L2
  TableSession table("HashTableV2");
  EXPECT_EQ(table.Run("init", Keys({1, 2, 1}), Floats({1, 2, 3})).code(), Code::kFailedPrecondition);
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.Run("init", Keys({2}), Floats({7})).code(), Code::kFailedPrecondition);
  EXPECT_EQ(table.Run("import", Keys({4}), Floats({4})).code(), Code::kOk);
  EXPECT_EQ(table.size(), 3);
}

TEST(Table, AMutableOneChanges) {  // L5
  TableSession table("MutableHashTableV2");
  EXPECT_THAT(table.Find({1}), ElementsAre(-1));
  EXPECT_EQ(table.Run("insert", Keys({1, 2, 1}), Floats({1, 2, 3})).code(), Code::kOk);
  EXPECT_THAT(table.Find({1, 2}), ElementsAre(3, 2));
  EXPECT_EQ(table.Run("remove", Keys({1, 7})).code(), Code::kOk);
  EXPECT_THAT(table.Find({1, 2}), ElementsAre(-1, 2));
  EXPECT_EQ(table.Run("import", Keys({5}), Floats({5})).code(), Code::kOk);
  EXPECT_THAT(table.Find({2, 5}), ElementsAre(-1, 5));
  EXPECT_EQ(table.Run("init", Keys({5}), Floats({5})).code(), Code::kInvalidArgument);
}

TEST(Table, IsSharedByName) {  // L6
  const auto size_of_other = [](AttrMap one, AttrMap other) {
    TestGraph graph;
    for (AttrMap* attrs : {&one, &other}) {
      attrs->try_emplace("key_dtype", DType::kInt64);
      attrs->try_emplace("value_dtype", DType::kFloat);
    }
    graph.Value("keys", Keys({1})).Value("values", Floats({1})).Add("t", "MutableHashTableV2", {}, one);
    graph.Add("insert", "LookupTableInsertV2", {"t", "keys", "values"}, kTypes);
    graph.Add("u", "MutableHashTableV2", {"^insert"}, other).Add("size", "LookupTableSizeV2", {"u"});
    const RunResult result = TestSession(graph).Run({"size"});
    return result.status.ok() ? result.scalar<int64_t>() : -int64_t{static_cast<int>(result.code())};
  };
  EXPECT_EQ(size_of_other({{"shared_name", "a"}}, {{"shared_name", "a"}}), 1);
  EXPECT_EQ(size_of_other({{"shared_name", "a"}}, {{"shared_name", "b"}}), 0);
  EXPECT_EQ(size_of_other({}, {{"shared_name", "t"}}), 0);
  EXPECT_EQ(size_of_other({{"use_node_name_sharing", true}}, {{"shared_name", "t"}}), 1);
  EXPECT_EQ(size_of_other({{"shared_name", "a"}}, {{"shared_name", "a"}, {"value_dtype", DType::kInt32}}), -3);
}

// L6: the node that makes a table says of which kind it is, and what else there is to say.
TEST(Table, IsSharedByNodesOfOtherKinds) {
  AttrMap attrs = {{"key_dtype", DType::kInt64}, {"value_dtype", DType::kFloat}, {"shared_name", "a"}};
  TestGraph graph;
  graph.Value("keys", Keys({1})).Value("values", Floats({10})).Const<float>("default", -1).Const<int64_t>("zero", 0);
  graph.Add("made", "MutableHashTableV2", {}, attrs);
  graph.Add("put", "LookupTableInsertV2", {"made", "keys", "values"}, kTypes).Add("once", "HashTableV2", {}, attrs);
  graph.Add("find", "LookupTableFindV2", {"once", "keys", "default"}, kTypes);
  graph.Add("init", "InitializeTableV2", {"once", "keys", "values"},
            {{"Tkey", DType::kInt64}, {"Tval", DType::kFloat}});
  graph.Add("put_again", "LookupTableInsertV2", {"once", "keys", "values"}, kTypes);
  attrs["value_shape"] = PartialShape(Shape({3}));
  graph.Add("tensors", "MutableHashTableOfTensorsV2", {}, attrs).Add("size", "LookupTableSizeV2", {"tensors"});
  graph.Add("dense", "MutableDenseHashTableV2", {"zero", "zero"}, attrs).Add("buckets", "LookupTableSizeV2", {"dense"});
  TestSession session(graph);
  ASSERT_EQ(session.Run({}, {}, {"put"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"find"}).outputs.at(0).data<float>()[0], 10);
  EXPECT_EQ(session.Run({}, {}, {"init"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({}, {}, {"put_again"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"size"}).scalar<int64_t>(), 1);
  EXPECT_EQ(session.Run({"buckets"}).scalar<int64_t>(), 1) << "no dense table is made of these keys";
}

// ---- Text files (L3) -----------------------------------------------------------------------------------------------

struct FileCase {
  std::string text;
  int key_index = -2, value_index = -1;
  AttrMap attrs = {};
  DType key_type = DType::kString, value_type = DType::kInt64;
};

// The table, by ascending keys: "a=0 b=1 "; the code if it could not be filled.
std::string TableOf(const FileCase& from) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lines";
  WriteFile(path, from.text);
  AttrMap attrs = from.attrs;
  attrs["key_index"] = from.key_index;
  attrs["value_index"] = from.value_index;
  TestGraph graph;
  graph.Add("t", "HashTableV2", {}, {{"key_dtype", from.key_type}, {"value_dtype", from.value_type}});
  graph.Const<std::string>("path", path).Add("init", "InitializeTableFromTextFileV2", {"t", "path"}, attrs);
  graph.Add("all", "LookupTableExportV2", {"t", "^init"}, {{"Tkeys", from.key_type}, {"Tvalues", from.value_type}});
  const RunResult result = TestSession(graph).Run({"all", "all:1"});
  if (!result.status.ok()) return std::string(CodeName(result.code()));
  return result.outputs[0].ToString(100) + " " + result.outputs[1].ToString(100);
}

TEST(TableFromTextFile, TakesLinesNumbersAndColumns) {
  EXPECT_EQ(TableOf({.text = "a\nb\n"}), R"(string[2] {"a", "b"} int64[2] {0, 1})");
  EXPECT_EQ(TableOf({.text = "a\r\nb"}), R"(string[2] {"a", "b"} int64[2] {0, 1})");
  EXPECT_EQ(TableOf({.text = "a\nb\n", .attrs = {{"offset", 5}}}), R"(string[2] {"a", "b"} int64[2] {5, 6})");
  EXPECT_EQ(TableOf({.text = "b\t2\na\t1\n", .key_index = 0, .value_index = 1}),
            R"(string[2] {"a", "b"} int64[2] {1, 2})");
  EXPECT_EQ(TableOf({.text = "1 x 0.5\n",
                     .key_index = 0,
                     .value_index = 2,
                     .attrs = {{"delimiter", " "}},
                     .key_type = DType::kInt32,
                     .value_type = DType::kFloat}),
            "int32[1] {1} float32[1] {0.5}");
  EXPECT_EQ(TableOf({.text = "7\n", .key_type = DType::kInt64}), "int64[1] {7} int64[1] {0}");
  EXPECT_EQ(TableOf({.text = "a\nb\n",
                     .key_index = -1,
                     .value_index = -2,
                     .key_type = DType::kInt64,
                     .value_type = DType::kString}),
            R"(int64[2] {0, 1} string[2] {"a", "b"})");
}

TEST(TableFromTextFile, ReadsVocabSizeLines) {
  EXPECT_EQ(TableOf({.text = "a\nb\n\n", .attrs = {{"vocab_size", 1}}}), R"(string[1] {"a"} int64[1] {0})");
  EXPECT_EQ(TableOf({.text = "a\nb\n", .attrs = {{"vocab_size", 3}}}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\n", .attrs = {{"vocab_size", 0}}}), "OUT_OF_RANGE");
}

TEST(TableFromTextFile, RefusesWhatDoesNotFit) {
  EXPECT_EQ(TableOf({.text = ""}), "OUT_OF_RANGE");
  EXPECT_EQ(TableOf({.text = "a\n\nb\n"}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\n", .key_index = 1}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\tb\n", .key_index = 0, .value_index = 1}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\n", .attrs = {{"delimiter", ", "}}}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\n", .value_type = DType::kInt32}), "INVALID_ARGUMENT");  // a line number
  EXPECT_EQ(TableOf({.text = "a\n", .value_index = -2}), "INVALID_ARGUMENT");            // no number
  EXPECT_EQ(TableOf({.text = "1\n", .value_index = -2, .value_type = DType::kFloat}), "INVALID_ARGUMENT");
  EXPECT_EQ(TableOf({.text = "a\na\n"}), "FAILED_PRECONDITION");  // two values
}

TEST(TableFromTextFile, FillsTheTablesOfOldGraphs) {  // Q5
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/lines", "a\nb\n");
  TestGraph graph;
  graph.Add("t", "HashTable", {}, {{"key_dtype", DType::kString}, {"value_dtype", DType::kInt64}});
  graph.Const<std::string>("path", folder.path() + "/lines").Const<std::string>("none", folder.path() + "/none");
  const AttrMap attrs = {{"key_index", -2}, {"value_index", -1}};
  graph.Add("init", "InitializeTableFromTextFile", {"t", "path"}, attrs);
  graph.Add("fail", "InitializeTableFromTextFile", {"t", "none"}, attrs);
  graph.Add("size", "LookupTableSize", {"t", "^init"});
  EXPECT_EQ(TestSession(graph).Run({"size"}).scalar<int64_t>(), 2);
  EXPECT_EQ(TestSession(graph).Run({}, {}, {"fail"}).code(), Code::kNotFound);
}

TEST(TableFromTextFile, NeedsTheFile) {
  TestGraph graph;
  graph.Add("t", "HashTableV2", {}, {{"key_dtype", DType::kString}, {"value_dtype", DType::kInt64}});
  const AttrMap attrs = {{"key_index", -2}, {"value_index", -1}};
  graph.Const<std::string>("path", "/nowhere/at/all").Const<std::string>("empty", "");
  graph.Add("init", "InitializeTableFromTextFileV2", {"t", "path"}, attrs);
  graph.Add("unnamed", "InitializeTableFromTextFileV2", {"t", "empty"}, attrs);
  EXPECT_EQ(TestSession(graph).Run({}, {}, {"init"}).code(), Code::kNotFound);
  EXPECT_EQ(TestSession(graph).Run({}, {}, {"unnamed"}).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
