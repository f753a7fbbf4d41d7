// Law: whatever happens to an object step by step, the fast path answers each step as the reference does. Steps are
// drawn that do not wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

constexpr uint32_t kHistories = 40;
constexpr int kSteps = 30;

// One graph on both sides. Inputs are fed by the names of their placeholders.
class Both {
 public:
  explicit Both(const GraphDef& graph) : graph_(graph) {
    EXPECT_EQ(reference_->Extend(graph).ToString(), "OK");
    EXPECT_EQ(cpu_->Extend(graph).ToString(), "OK");
  }

  // Expects one code and one answer, which is returned; nothing where the step failed.
  std::vector<Tensor> Do(const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
                         const std::vector<Feed>& feeds = {}) {
    std::vector<Tensor> expected, actual;
    const Status wanted = reference_->Run(feeds, fetches, targets, &expected);
    const Status got = cpu_->Run({.timeout_ms = 20'000}, feeds, fetches, targets, &actual, nullptr);
    past_ += (fetches.empty() ? targets.at(0) : fetches[0]) + ": " + std::string(CodeName(wanted.code()));
    for (const auto& [name, value] : feeds) past_ += Str(" ", name, "=", value.ToString());
    past_ += "\n";
    EXPECT_EQ(got.code(), wanted.code()) << past_ << got.ToString() << "; reference: " << wanted.ToString();
    if (!wanted.ok() || !got.ok()) return {};
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(actual[i].BitwiseEquals(expected[i]))
          << past_ << actual[i].ToString() << "; reference: " << expected[i].ToString();
    }
    return expected;
  }
  int Count(const std::string& fetch) { return Do({fetch}, {}).at(0).scalar<int32_t>(); }

 private:
  const GraphDef graph_;
  const std::unique_ptr<Session> reference_ = OpenSession("reference"), cpu_ = OpenSession("cpu");
  std::string past_;
};

class Drawn {
 public:
  explicit Drawn(uint32_t seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Flip() { return Below(2) == 1; }
  template <class T>
  Tensor Vector(int count, int low, int most) {
    std::vector<T> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(low + Below(most - low + 1)));
    return MakeTensor<T>({count}, std::span<const T>(values));
  }
  Tensor Keys(int count) {
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i) keys.emplace_back(1, static_cast<char>('a' + Below(5)));
    return MakeTensor<std::string>({count}, std::span<const std::string>(keys));
  }

 private:
  std::mt19937 random_;
};

NodeDef Fed(const std::string& name, DType type) { return MakeNode(name, "Placeholder", {}, {{"dtype", type}}); }

// A barrier whose second component is a pair; "take1" takes fewer where there are no more.
GraphDef BarrierGraph() {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const std::vector<DType> types = {DType::kInt32, DType::kInt32};
  const std::vector<PartialShape> shapes = {PartialShape(Shape()), {2}};
  graph.nodes = {Fed("keys", DType::kString),
                 Fed("values", DType::kInt32),
                 Fed("count", DType::kInt32),
                 MakeNode("barrier", "Barrier", {}, {{"component_types", types}, {"shapes", shapes}}),
                 MakeNode("ready", "BarrierReadySize", {"barrier"}),
                 MakeNode("incomplete", "BarrierIncompleteSize", {"barrier"}),
                 MakeNode("close", "BarrierClose", {"barrier"}),
                 MakeNode("cancel", "BarrierClose", {"barrier"}, {{"cancel_pending_enqueues", true}})};
  for (const int64_t component : {0, 1}) {
    graph.nodes.push_back(MakeNode(Str("insert", component), "BarrierInsertMany", {"barrier", "keys", "values"},
                                   {{"T", DType::kInt32}, {"component_index", component}}));
    graph.nodes.push_back(MakeNode(Str("take", component), "BarrierTakeMany", {"barrier", "count"},
                                   {{"component_types", types}, {"allow_small_batch", component == 1}}));
  }
  return graph;
}

TEST(Histories, OfBarriers) {  // B1–B5
  const GraphDef graph = BarrierGraph();
  for (uint32_t seed = 0; seed < kHistories; ++seed) {
    Both both(graph);
    Drawn drawn(seed);
    bool is_closed = false;
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      const int ready = both.Count("ready"), incomplete = both.Count("incomplete"), act = drawn.Below(12);
      if (act < 7) {
        const int component = act % 2, count = drawn.Below(4);
        const Tensor flat = drawn.Vector<int32_t>(count * (component + 1), 0, 99);
        const Tensor values = component == 0 ? flat : flat.Reshaped(Shape({count, 2}));
        both.Do({}, {Str("insert", component)}, {{"keys", drawn.Keys(count)}, {"values", values}});
      } else if (act < 11) {
        const bool or_fewer = drawn.Flip();
        const int count = drawn.Below(4);
        const bool waits = count > ready && (!is_closed || (!or_fewer && count <= ready + incomplete));
        const std::string take = or_fewer ? "take1" : "take0";
        if (!waits) both.Do({take, take + ":1", take + ":2", take + ":3"}, {}, {{"count", MakeScalar<int32_t>(count)}});
      } else if (step > kSteps / 3) {
        both.Do({}, {drawn.Flip() ? "close" : "cancel"});
        is_closed = true;
      }
    }
  }
}

// Who waits is answered when the last tuple that was begun is complete: nothing will come any more.
TEST(Histories, ABarrierThatWasClosedAnswersWhoWaits) {  // B4, B5
  for (const char* backend : {"reference", "cpu"}) {
    for (const bool or_fewer : {false, true}) {
      const auto session = OpenSession(backend);
      ASSERT_EQ(session->Extend(BarrierGraph()).ToString(), "OK");
      const auto act = [&](const std::string& op, const std::vector<Feed>& feeds) {
        const std::vector<std::string> targets = {op};
        std::vector<Tensor> none;
        EXPECT_EQ(session->Run(feeds, {}, targets, &none).ToString(), "OK") << op;
      };
      const auto insert = [&](const std::string& key, int component) {
        const Tensor one = MakeVector<int32_t>({0}), pair = MakeTensor<int32_t>({1, 2}, {1, 2});
        act(Str("insert", component),
            {{"keys", MakeVector<std::string>({key})}, {"values", component == 0 ? one : pair}});
      };
      insert("a", 0);
      insert("a", 1);
      insert("b", 0);
      std::vector<Tensor> taken;
      Status status;
      std::thread waits([&] {
        const std::vector<Feed> feeds = {{"count", MakeScalar<int32_t>(3)}};
        const std::vector<std::string> fetches = {or_fewer ? "take1:1" : "take0:1"};
        status = session->Run({.timeout_ms = 20'000}, feeds, fetches, {}, &taken, nullptr);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      act("close", {});
      insert("b", 1);
      waits.join();
      EXPECT_EQ(status.code(), or_fewer ? Code::kOk : Code::kOutOfRange) << backend;
      if (or_fewer && status.ok()) {
        EXPECT_LE(taken.at(0).elements(), 2) << backend;
      }
    }
  }
}

// Sums of whole numbers of which there are 1, 2 or 4, or multiples of 3 of which there are 3.
TEST(Histories, OfAccumulators) {  // C1–C5
  for (const char* reduction : {"MEAN", "SUM"}) {
    GraphDef graph;
    graph.versions.producer = kGraphVersion;
    const AttrMap type = {{"dtype", DType::kFloat}},
                  made = {{"dtype", DType::kFloat}, {"shape", PartialShape{3, 2}}, {"reduction_type", reduction}};
    AttrMap sparse_type = type;
    sparse_type["has_known_shape"] = true;
    graph.nodes = {Fed("step", DType::kInt64),
                   Fed("gradient", DType::kFloat),
                   Fed("indices", DType::kInt64),
                   Fed("shape", DType::kInt64),
                   Fed("count", DType::kInt32),
                   MakeNode("dense", "ConditionalAccumulator", {}, made),
                   MakeNode("apply", "AccumulatorApplyGradient", {"dense", "step", "gradient"}, type),
                   MakeNode("take", "AccumulatorTakeGradient", {"dense", "count"}, type),
                   MakeNode("set", "AccumulatorSetGlobalStep", {"dense", "step"}),
                   MakeNode("held", "AccumulatorNumAccumulated", {"dense"}),
                   MakeNode("sparse", "SparseConditionalAccumulator", {}, made),
                   MakeNode("sparse_apply", "SparseAccumulatorApplyGradient",
                            {"sparse", "step", "indices", "gradient", "shape"}, sparse_type),
                   MakeNode("sparse_take", "SparseAccumulatorTakeGradient", {"sparse", "count"}, type),
                   MakeNode("sparse_set", "AccumulatorSetGlobalStep", {"sparse", "step"}),
                   MakeNode("sparse_held", "AccumulatorNumAccumulated", {"sparse"})};
    for (uint32_t seed = 0; seed < kHistories; ++seed) {
      Both both(graph);
      Drawn drawn(seed);
      const bool is_sparse = drawn.Flip();
      const std::string of = is_sparse ? "sparse_" : "";
      for (int step = 0; step < kSteps && !HasFailure(); ++step) {
        const int held = both.Count(of + "held"), act = drawn.Below(8);
        const Tensor number = MakeScalar<int64_t>(drawn.Below(4));
        if (held >= 4 || act < 2) {
          const int count = drawn.Below(4);
          const std::string take = of + "take";
          if (count > held) continue;
          const std::vector<std::string> fetches =
              is_sparse ? std::vector<std::string>{take, take + ":1", take + ":2"} : std::vector<std::string>{take};
          both.Do(fetches, {}, {{"count", MakeScalar<int32_t>(count)}});
        } else if (act < 3) {
          both.Do({}, {of + "set"}, {{"step", number}});
        } else {
          const int rows = is_sparse ? 1 + drawn.Below(3) : drawn.Below(9) == 0 ? 2 : 3;
          Tensor gradient = drawn.Vector<float>(rows * 2, -5, 5).Clone().Reshaped(Shape({rows, 2}));
          for (float& value : gradient.mutable_data<float>()) value *= 12;
          std::vector<Feed> feeds = {{"step", number}, {"gradient", gradient}};
          if (is_sparse) {
            std::vector<int64_t> indices = {0, 1, 2};
            while (std::ssize(indices) > rows)
              indices.erase(indices.begin() + drawn.Below(static_cast<int>(indices.size())));
            if (drawn.Below(9) == 0) indices.back() = 3;
            feeds.emplace_back("indices", MakeTensor<int64_t>({rows}, std::span<const int64_t>(indices)));
            feeds.emplace_back("shape", MakeVector<int64_t>({3, 2}));
          }
          both.Do({}, {of + "apply"}, feeds);
        }
      }
    }
  }
}

// Keys of texts of all lengths, as their numbers.
Tensor Texts(const Tensor& keys) {
  std::vector<std::string> texts;
  for (const int64_t key : keys.data<int64_t>())
    texts.push_back(Str("key ", key, std::string(static_cast<size_t>(key + 2), 'x')));
  return MakeTensor<std::string>(keys.shape(), std::span<const std::string>(texts));
}

// Of a dense table also the order in which it gives its rows.
TEST(Histories, OfTables) {  // L1–L9
  for (const auto& [is_dense, key_type] :
       {std::pair(false, DType::kInt64), {true, DType::kInt64}, {true, DType::kString}}) {
    const AttrMap types = {{"key_dtype", key_type}, {"value_dtype", DType::kFloat}};
    AttrMap dense = types;
    dense["value_shape"] = PartialShape(Shape());
    dense["initial_num_buckets"] = int64_t{4};
    const AttrMap in_out = {{"Tin", key_type}, {"Tout", DType::kFloat}};
    const auto key = [type = key_type](const Tensor& keys) { return type == DType::kString ? Texts(keys) : keys; };
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
        // One key in a while is none that the dense table may hold. Who looks for it looks for no other, for a table
        // that is full is refused too, and which of both is met first is open.
        const int kind = drawn.Below(8), low = drawn.Below(10) == 0 ? -2 : 0;
        const int count = kind == 7 && low < 0 ? 1 : drawn.Below(6);
        const Tensor keys = drawn.Vector<int64_t>(count, low, 12), values = drawn.Vector<float>(count, 0, 99);
        if (kind < 4) act("insert", keys, values, false);
        if (kind == 4 || kind == 5) act("remove", keys, values, false);
        if (kind == 6) act("import", keys, values, false);
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

}  // namespace
}  // namespace plumb::conformance
