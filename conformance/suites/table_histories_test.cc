// Law: whatever happens to a table step by step, the fast path answers each step as the reference does.
#include <algorithm>

#include "conformance/suites/histories_testing.h"

namespace plumb::conformance {
namespace {

// Keys of texts of all lengths, as their numbers.
Tensor Texts(const Tensor& keys) {
  std::vector<std::string> texts;
  for (const int64_t key : keys.data<int64_t>())
    texts.push_back(Str("key ", key, std::string(static_cast<size_t>(key + 2), 'x')));
  return MakeTensor<std::string>(keys.shape(), std::span<const std::string>(texts));
}

GraphDef TableGraph(bool is_dense, DType key_type) {
  const AttrMap types = {{"key_dtype", key_type}, {"value_dtype", DType::kFloat}};
  AttrMap dense = types;
  dense["value_shape"] = PartialShape(Shape());
  dense["initial_num_buckets"] = int64_t{4};
  const AttrMap in_out = {{"Tin", key_type}, {"Tout", DType::kFloat}};
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  graph.nodes = {
      Fed("keys", key_type),
      Fed("values", DType::kFloat),
      Fed("empty", key_type),
      Fed("deleted", key_type),
      is_dense ? MakeNode("table", "MutableDenseHashTableV2", {"empty", "deleted"}, dense)
               : MakeNode("table", "MutableHashTableV2", {}, types),
      MakeNode("insert", "LookupTableInsertV2", {"table", "keys", "values"}, in_out),
      MakeNode("import", "LookupTableImportV2", {"table", "keys", "values"}, in_out),
      MakeNode("remove", "LookupTableRemoveV2", {"table", "keys"}, {{"Tin", key_type}}),
      MakeNode("find", "LookupTableFindV2", {"table", "keys", "values"}, in_out),
      MakeNode("export", "LookupTableExportV2", {"table"}, {{"Tkeys", key_type}, {"Tvalues", DType::kFloat}}),
      MakeNode("size", "LookupTableSizeV2", {"table"})};
  return graph;
}

// Of a dense table also the order in which it gives its rows.
TEST(Histories, OfTables) {  // L1–L9
  for (const auto& [is_dense, key_type] :
       {std::pair(false, DType::kInt64), {true, DType::kInt64}, {true, DType::kString}}) {
    const auto key = [type = key_type](const Tensor& keys) { return type == DType::kString ? Texts(keys) : keys; };
    const GraphDef graph = TableGraph(is_dense, key_type);
    for (uint32_t seed = 0; seed < kHistories; ++seed) {
      Both both(graph);
      Drawn drawn(seed);
      const std::vector<Feed> own = {{"empty", key(MakeScalar<int64_t>(-1))},
                                     {"deleted", key(MakeScalar<int64_t>(-2))}};
      int64_t largest = 0;
      const auto act = [&](const std::string& op, const Tensor& keys, const Tensor& values, bool fetches) {
        std::vector<Feed> feeds = own;
        feeds.emplace_back("keys", key(keys));
        feeds.emplace_back("values", values);
        fetches ? both.Do({op}, {}, feeds) : both.Do({}, {op}, feeds);
      };
      for (int step = 0; step < kSteps && !HasFailure(); ++step) {
        // One key in a while is none that the dense table may hold; beside it others may find the table full.
        const int kind = drawn.Below(8), low = drawn.Below(10) == 0 ? -2 : 0, count = drawn.Below(6);
        const Tensor keys = drawn.Vector<int64_t>(count, low, 12), values = drawn.Vector<float>(count, 0, 99);
        if (kind < 4) act("insert", keys, values, false);
        if (kind == 4 || kind == 5) act("remove", keys, values, false);
        const auto rows = [&](const Tensor& of) { return is_dense ? of.Reshaped({count, 1}) : of; };
        if (kind == 6) act("import", rows(keys), rows(values), false);
        if (kind == 7) act("find", keys, values, true);
        act("find", drawn.Vector<int64_t>(20, 0, 12), MakeScalar(-5.0F), true);
        if (is_dense) both.Do({"export", "export:1"}, {}, own);
        const std::vector<Tensor> size = both.Do({"size"}, {}, own);
        if (!size.empty()) largest = std::max(largest, size[0].scalar<int64_t>());
      }
      EXPECT_GT(largest, 0);
    }
  }
}

// The first key that fails says the code: it is none that the table may hold, or the search for it meets no empty
// bucket.
TEST(Histories, AFullDenseTableIsAskedKeyByKey) {  // L9
  const GraphDef graph = TableGraph(/*is_dense=*/true, DType::kInt64);
  for (const char* backend : {"reference", "cpu"}) {
    const auto session = OpenSession(backend);
    ASSERT_EQ(session->Extend(graph).ToString(), "OK");
    const auto run = [&](const std::string& op, const Tensor& keys, const Tensor& values) {
      const std::vector<Feed> feeds = {
          {"empty", MakeScalar<int64_t>(-1)}, {"deleted", MakeScalar<int64_t>(-2)}, {"keys", keys}, {"values", values}};
      const std::vector<std::string> targets = {op};
      std::vector<Tensor> none;
      return session->Run(feeds, {}, targets, &none).code();
    };
    const auto code = [&](const std::string& op, std::initializer_list<int64_t> keys, const Tensor& values) {
      return run(op, MakeVector<int64_t>(keys), values);
    };
    const Tensor keys = MakeVector<int64_t>({4, 1, 2, 3}), values = MakeVector<float>({4, 1, 2, 3});
    EXPECT_EQ(run("import", keys, values), Code::kInvalidArgument) << backend;
    EXPECT_EQ(run("import", keys.Reshaped({4, 1}), values.Reshaped({4, 1})), Code::kOk) << backend;
    const Tensor value = MakeScalar(0.0F);
    EXPECT_EQ(code("find", {1, 2, 3, 4}, value), Code::kOk) << backend;
    EXPECT_EQ(code("find", {1, 9}, value), Code::kInternal) << backend;
    for (const int64_t refused : {-1, -2}) {
      EXPECT_EQ(code("find", {1, 9, refused}, value), Code::kInternal) << backend;
      EXPECT_EQ(code("find", {1, refused, 9}, value), Code::kInvalidArgument) << backend;
    }
  }
}

}  // namespace
}  // namespace plumb::conformance
