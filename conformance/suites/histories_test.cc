// Law: whatever happens to a barrier or an accumulator step by step, the fast path answers each step as the reference
// does. Steps are drawn that do not wait.
#include <atomic>
#include <thread>

#include "conformance/suites/histories_testing.h"

namespace plumb::conformance {
namespace {

// Sparse tensors are put into a map and taken out, some under handles that are none or were taken. The step that meets
// one of these fails, and both sides keep the same.
TEST(Histories, OfSparseTensors) {  // S12
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const AttrMap shared = {{"shared_name", std::string("map")}};
  AttrMap put = shared, take = shared;
  put["T"] = take["dtype"] = DType::kInt32;
  graph.nodes = {Fed("indices", DType::kInt64),
                 Fed("values", DType::kInt32),
                 Fed("handles", DType::kInt64),
                 MakeNode("shape", "Const", {}, {{"dtype", DType::kInt64}, {"value", MakeVector<int64_t>({9})}}),
                 MakeNode("put", "AddSparseToTensorsMap", {"indices", "values", "shape"}, put),
                 MakeNode("take", "TakeManySparseFromTensorsMap", {"handles"}, take)};
  for (uint32_t seed = 0; seed < kHistories; ++seed) {
    Both both(graph);
    Drawn drawn(seed);
    int made = 0;
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      if (drawn.Flip()) {
        const int count = drawn.Below(3);
        std::vector<int64_t> indices;
        for (int i = 0; i < count; ++i) indices.push_back(3 * i + drawn.Below(3));
        both.Do({"put"}, {},
                {{"indices", MakeTensor<int64_t>({count, 1}, std::span<const int64_t>(indices))},
                 {"values", drawn.Vector<int32_t>(count, 0, 99)}});
        ++made;
      } else {
        both.Do({"take", "take:1", "take:2"}, {}, {{"handles", drawn.Vector<int64_t>(1 + drawn.Below(2), 0, made)}});
      }
    }
  }
}

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

// A barrier with one tuple that is complete and one that is begun, and who waits for three.
class WhoWaits {
 public:
  WhoWaits(const char* backend, bool or_fewer) : session_(OpenSession(backend)) {
    EXPECT_EQ(session_->Extend(BarrierGraph()).ToString(), "OK");
    InsertWhole("a");
    Insert("b", 0);
    waiting_ = std::thread([this, take = or_fewer ? "take1:1" : "take0:1"] {
      std::vector<Tensor> taken;
      status_ = Take(3, take, 20'000, &taken);
      is_over_ = true;
    });
    AwaitThem();
  }

  void Act(const std::string& op, const std::vector<Feed>& feeds = {}) {
    const std::vector<std::string> targets = {op};
    std::vector<Tensor> none;
    EXPECT_EQ(session_->Run(feeds, {}, targets, &none).ToString(), "OK") << op;
  }
  void Insert(const std::string& key, int component) {
    const Tensor one = MakeVector<int32_t>({0}), pair = MakeTensor<int32_t>({1, 2}, {1, 2});
    Act(Str("insert", component), {{"keys", MakeVector<std::string>({key})}, {"values", component == 0 ? one : pair}});
  }
  // How it ends.
  Status Outcome() {
    waiting_.join();
    return status_;
  }
  int32_t Ready() {
    const std::vector<std::string> fetches = {"ready"};
    std::vector<Tensor> ready;
    EXPECT_EQ(session_->Run({}, fetches, {}, &ready).ToString(), "OK");
    return ready.at(0).scalar<int32_t>();
  }

 private:
  void InsertWhole(const std::string& key) {
    for (const int component : {0, 1}) Insert(key, component);
  }
  Status Take(int32_t count, const std::string& take, int64_t timeout_ms, std::vector<Tensor>* taken) {
    const std::vector<Feed> feeds = {{"count", MakeScalar(count)}};
    const std::vector<std::string> fetches = {take};
    return session_->Run({.timeout_ms = timeout_ms}, feeds, fetches, {}, taken, nullptr);
  }
  // B4: behind somebody who waits, whoever asks for the one that is there waits as well. Before that it is taken, be it
  // by a step whose time is up, and put in again.
  void AwaitThem() {
    while (!is_over_) {
      std::vector<Tensor> taken;
      const Status status = Take(1, "take0:1", 20, &taken);
      if (Ready() == 0) {
        InsertWhole("a");
      } else if (status.message().find(" waits for barrier") != std::string::npos) {
        return;
      }
    }
    ADD_FAILURE() << "it did not wait: " << status_.ToString();
  }

  const std::unique_ptr<Session> session_;
  std::thread waiting_;
  Status status_;
  std::atomic<bool> is_over_ = false;
};

// Who waits is answered when the last tuple that was begun is complete: nothing will come any more. What is ready is
// gone with one who takes a small batch.
TEST(Histories, ABarrierThatWasClosedAnswersWhoWaits) {  // B4, B5
  for (const char* backend : {"reference", "cpu"}) {
    for (const bool or_fewer : {false, true}) {
      WhoWaits waits(backend, or_fewer);
      waits.Act("close");
      waits.Insert("b", 1);
      const Status status = waits.Outcome();
      EXPECT_EQ(status.code(), Code::kOutOfRange) << backend;
      EXPECT_EQ(waits.Ready(), or_fewer ? 0 : 2) << backend;
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

}  // namespace
}  // namespace plumb::conformance
