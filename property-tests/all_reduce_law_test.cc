// Replicas over ranks stay alike bit for bit, and are what they are on the CPUs of one process (rules CO1, CO3).
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "backends/backends.h"
#include "client/ops.h"
#include "client/training/all_reduce.h"
#include "mpi/session/cluster_testing.h"

namespace plumb {
namespace {

constexpr int kRows = 8, kFeatures = 90, kHidden = 100, kClasses = 10;  // of which the first layer is no small tensor
constexpr int kSteps = 6;

Tensor Numbers(const Shape& shape, uint32_t seed, float scale) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-scale, scale);
  Tensor tensor(DType::kFloat, shape);
  for (float& number : tensor.mutable_data<float>()) number = any(random);
  return tensor;
}

// A perceptron of two layers on its share of each global batch.
class Replica {
 public:
  Replica(int number, int replicas, const std::string& device, int64_t bucket_bytes = 0,
          const std::string& way = "auto")
      : optimizer_(Momentum({.learning_rate = 0.1, .momentum = 0.5})),
        together_(*optimizer_, {.replicas = replicas, .bucket_bytes = bucket_bytes, .way = way}),
        number_(number),
        rows_(kRows / replicas) {
    const auto named = scope_.Sub(Str("replica_", number));
    const auto on = scope_.On(device);
    x_ = scope_.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({-1, kFeatures})}}, "x");
    labels_ = scope_.Call("Placeholder", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape({-1})}}, "labels");
    // Each begins elsewhere, and takes over what the first one has.
    const auto seed = static_cast<uint32_t>(number * 10);
    const Variable hidden = MakeVariable(scope_, Constant(scope_, Numbers({kFeatures, kHidden}, seed, 0.2F)));
    const Variable top = MakeVariable(scope_, Constant(scope_, Numbers({kHidden, kClasses}, seed + 1, 0.2F)));
    const auto bias = [&](int64_t size) { return MakeVariable(scope_, Constant(scope_, Numbers({size}, seed, 0.2F))); };
    const Output features = ops::Relu(scope_, ops::MatMul(scope_, x_, hidden) + bias(kHidden));
    const Output logits = ops::MatMul(scope_, features, top) + bias(kClasses);
    const auto losses = ops::SparseSoftmaxCrossEntropyWithLogits(scope_, logits, labels_);
    loss_ = ops::Mean(scope_, losses.loss, Constant(scope_, 0));
    train_ = together_.Minimize(scope_, loss_);
    begin_ = together_.Broadcast(scope_, /*sends=*/number == 0);
    init_ = InitializeAll(scope_);
  }

  // The weights after the training; and how the loss went.
  struct Trained {
    std::vector<Tensor> variables;
    std::vector<float> losses;
  };
  Trained Train(Session& session) const {
    Trained trained;
    EXPECT_EQ(session.Extend(scope_.ToGraphDef()).ToString(), "OK");
    std::vector<Tensor> outputs;
    const auto run = [&](const std::vector<Feed>& feeds, const std::vector<std::string>& fetches, NodeId target) {
      const std::vector<std::string> targets =
          target == NodeId::kNone ? std::vector<std::string>{} : std::vector{scope_.NameOf(target)};
      const Status status = session.Run({.timeout_ms = 60'000}, feeds, fetches, targets, &outputs, nullptr);
      EXPECT_EQ(status.ToString(), "OK");
      return status.ok();
    };
    if (number_ == 0 && !run({}, {}, init_)) return trained;
    if (!run({}, {}, begin_)) return trained;
    for (int step = 0; step < kSteps; ++step) {
      if (!run(Batch(), {loss_.name()}, train_)) return trained;
      trained.losses.push_back(outputs[0].scalar<float>());
    }
    std::vector<std::string> names;
    for (const Variable& variable : scope_.variables()) names.push_back(variable.value().name());
    if (run({}, names, NodeId::kNone)) trained.variables = outputs;
    return trained;
  }

 private:
  std::vector<Feed> Batch() const {
    Tensor x(DType::kFloat, {rows_, kFeatures}), labels(DType::kInt32, {rows_});
    const Tensor all = Numbers({kRows, kFeatures}, 99, 1);
    const auto from = all.data<float>().begin() + number_ * rows_ * kFeatures;
    std::copy(from, from + rows_ * kFeatures, x.mutable_data<float>().begin());
    for (int64_t i = 0; i < rows_; ++i) {
      labels.mutable_data<int32_t>()[i] = static_cast<int32_t>((number_ * rows_ + i) % kClasses);
    }
    return {{x_.name(), x}, {labels_.name(), labels}};
  }

  const std::unique_ptr<Optimizer> optimizer_;
  mutable Scope scope_;
  AllReduce together_;
  const int number_;
  const int64_t rows_;
  Output x_, labels_, loss_;
  NodeId train_ = NodeId::kNone, begin_ = NodeId::kNone, init_ = NodeId::kNone;
};

// `session_of(i)` is where replica i trains; `run` runs all of them at once.
template <class SessionOf, class Run>
std::vector<Replica::Trained> TrainAll(const std::vector<std::unique_ptr<Replica>>& replicas,
                                       const SessionOf& session_of, const Run& run) {
  std::vector<Replica::Trained> trained(replicas.size());
  std::vector<std::function<void()>> clients;
  for (size_t i = 0; i < replicas.size(); ++i) {
    clients.emplace_back([&, i] { trained[i] = replicas[i]->Train(session_of(i)); });
  }
  run(clients);
  return trained;
}

std::vector<Replica::Trained> OverRanks(int ranks, int64_t bucket_bytes = 0,
                                        std::shared_ptr<dist::SimulatedRun> simulated = nullptr,
                                        const std::string& way = "auto") {
  dist::TestCluster cluster(ranks, {}, std::move(simulated));
  std::vector<std::unique_ptr<Replica>> replicas;
  std::vector<std::unique_ptr<Session>> sessions;
  for (int rank = 0; rank < ranks; ++rank) {
    replicas.push_back(std::make_unique<Replica>(rank, ranks, "", bucket_bytes, way));
    sessions.push_back(cluster.Open(rank));
  }
  return TrainAll(
      replicas, [&](size_t i) -> Session& { return *sessions[i]; },
      [&](const auto& clients) { cluster.RunTogether(clients); });
}

std::vector<Replica::Trained> OnCpus(int cpus) {
  const auto session = OpenSession("cpu", {.threads = 2, .cpu_devices = cpus});
  std::vector<std::unique_ptr<Replica>> replicas;
  for (int i = 0; i < cpus; ++i) replicas.push_back(std::make_unique<Replica>(i, cpus, Str("/device:CPU:", i)));
  return TrainAll(
      replicas, [&](size_t) -> Session& { return *session; },
      [](const auto& clients) {
        std::vector<std::thread> threads(clients.begin(), clients.end());
        for (std::thread& thread : threads) thread.join();
      });
}

void ExpectSame(const std::vector<Tensor>& a, const std::vector<Tensor>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  ASSERT_FALSE(a.empty()) << where;
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].BitwiseEquals(b[i])) << where << ": variable " << i;
}

// Alone, the small ones together, some with the large one, all of them.
TEST(AllReduceLaw, BucketsChangeNoBit) {
  constexpr int64_t kLarge = kFeatures * kHidden * sizeof(float);
  const std::vector<Replica::Trained> alone = OverRanks(3);
  for (const int64_t bytes : {int64_t{1}, kLarge / 4, kLarge + 450, 2 * kLarge}) {
    const std::vector<Replica::Trained> joined = OverRanks(3, bytes);
    for (int i = 0; i < 3; ++i)
      ExpectSame(joined[i].variables, alone[i].variables, Str("buckets of ", bytes, " bytes"));
  }
}

TEST(AllReduceLaw, ReplicasStayAlikeWhereverTheyRun) {
  for (const int replicas : {1, 2, 4}) {
    const std::vector<Replica::Trained> over_ranks = OverRanks(replicas), on_cpus = OnCpus(replicas);
    for (int i = 0; i < replicas; ++i) {
      const std::string where = Str(replicas, " replicas, number ", i);
      ExpectSame(over_ranks[i].variables, over_ranks[0].variables, where);
      ExpectSame(over_ranks[i].variables, on_cpus[i].variables, where + " in one process");
      ASSERT_EQ(over_ranks[i].losses.size(), static_cast<size_t>(kSteps)) << where;
      EXPECT_LT(over_ranks[i].losses.back(), over_ranks[i].losses.front()) << where;
    }
  }
}

// Whatever the delays, and whoever comes first.
TEST(AllReduceLaw, DelaysChangeNoBit) {
  for (const int replicas : {2, 3, 4}) {
    const std::vector<Replica::Trained> on_cpus = OnCpus(replicas == 3 ? 2 : replicas);
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      const auto run = std::make_shared<dist::SimulatedRun>(replicas, dist::Delayed(seed));
      const std::vector<Replica::Trained> delayed = OverRanks(replicas, 0, run);
      for (int i = 0; i < replicas; ++i) {
        const std::string where = Str(replicas, " replicas, seed ", seed, ", number ", i);
        ExpectSame(delayed[i].variables, delayed[0].variables, where);
        if (replicas != 3) ExpectSame(delayed[i].variables, on_cpus[i].variables, where + " in one process");
      }
    }
  }
}

// Whatever the way, the buckets, the hosts that the ranks lie on, and the delays.
TEST(AllReduceLaw, WaysChangeNoBit) {
  for (const int replicas : {2, 4, 5}) {
    const std::vector<Replica::Trained> plain = OverRanks(replicas);
    uint64_t seed = 0;
    for (const char* way : {"ring", "tree", "shared"}) {
      for (const int64_t bucket_bytes : {int64_t{0}, int64_t{40'000}}) {
        const std::vector<Replica::Trained> threads = OverRanks(replicas, bucket_bytes, nullptr, way);
        dist::SimulatedOptions options = dist::Delayed(++seed);
        options.ranks_of_host = 2;
        const auto run = std::make_shared<dist::SimulatedRun>(replicas, options);
        const std::vector<Replica::Trained> delayed = OverRanks(replicas, bucket_bytes, run, way);
        for (int i = 0; i < replicas; ++i) {
          const std::string where = Str(way, ", ", replicas, " replicas, buckets of ", bucket_bytes, ", number ", i);
          ExpectSame(threads[i].variables, plain[0].variables, where);
          ExpectSame(delayed[i].variables, plain[0].variables, where + ", on hosts with delays");
        }
      }
    }
  }
}

}  // namespace
}  // namespace plumb
