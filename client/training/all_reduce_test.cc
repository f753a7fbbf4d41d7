// Replicas on the CPUs of one session.
#include "client/training/all_reduce.h"

#include "client/ops.h"
#include "client/testing.h"

namespace plumb {
namespace {

// y = x w on rows of its own, with the mean of y² as its loss. Numbers are such that nothing is rounded.
class Replica {
 public:
  Replica(int number, int replicas, Optimizer& optimizer) : together_(optimizer, {.replicas = replicas}) {
    const auto named = scope_.Sub(Str("replica_", number));
    const auto on = scope_.On(Str("/device:CPU:", number));
    x_ = scope_.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({-1, 2})}}, "x");
    const Output first = Constant(scope_, MakeTensor<float>({2, 1}, {1.0F + static_cast<float>(number), 2.0F}));
    weights_.emplace(MakeVariable(scope_, first, {.name = "weights"}));
    const Output y = ops::MatMul(scope_, x_, *weights_);
    const Output loss = ops::Mean(scope_, ops::Square(scope_, y), Constant(scope_, {0, 1}));
    train_ = together_.Minimize(scope_, loss);
    begin_ = together_.Broadcast(scope_, /*sends=*/number == 0);
    init_ = InitializeAll(scope_);
  }

  GraphDef graph() const { return scope_.ToGraphDef(); }
  Feed Rows(std::initializer_list<float> rows) const {
    return {x_.name(), MakeTensor<float>({static_cast<int64_t>(rows.size()) / 2, 2}, rows)};
  }
  std::string weights() const { return weights_->value().name(); }
  std::string train() const { return scope_.NameOf(train_); }
  std::string begin() const { return scope_.NameOf(begin_); }
  std::string init() const { return scope_.NameOf(init_); }

 private:
  Scope scope_;
  AllReduce together_;
  Output x_;
  std::optional<Variable> weights_;
  NodeId train_ = NodeId::kNone, begin_ = NodeId::kNone, init_ = NodeId::kNone;
};

class AllReduced : public ::testing::TestWithParam<std::string_view> {
 protected:
  std::vector<Tensor> Run(const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
                          const std::vector<std::string>& targets) {
    std::vector<Tensor> outputs;
    const Status status = session_->Run(feeds, fetches, targets, &outputs);
    EXPECT_EQ(status.ToString(), "OK");
    return outputs;
  }

  const std::unique_ptr<Optimizer> optimizer_ = Momentum({.learning_rate = 0.25, .momentum = 0.5});
  const std::unique_ptr<Session> session_ = OpenSession(GetParam(), {.cpu_devices = 2});
};

TEST_P(AllReduced, ReplicasTrainAsOneOnAllRows) {
  const Replica first(0, 2, *optimizer_), second(1, 2, *optimizer_);
  EXPECT_TRUE(session_->Extend(first.graph()).ok());
  EXPECT_TRUE(session_->Extend(second.graph()).ok());
  Run({}, {}, {first.init()});
  Run({}, {}, {first.begin(), second.begin()});
  const std::vector<std::string> weights = {first.weights(), second.weights()};
  EXPECT_TRUE(Run({}, weights, {})[1].BitwiseEquals(MakeTensor<float>({2, 1}, {1, 2}))) << "those of the first";

  const Replica alone(0, 1, *optimizer_);
  const auto other = OpenSession(GetParam());
  std::vector<Tensor> expected;
  EXPECT_TRUE(other->Extend(alone.graph()).ok());
  EXPECT_TRUE(other->Run({}, {}, std::vector{alone.init()}, &expected).ok());
  for (int step = 0; step < 3; ++step) {
    Run({first.Rows({1, 0, 0, 1}), second.Rows({1, -1, 2, 1})}, {}, {first.train(), second.train()});
    const std::vector<Feed> whole = {alone.Rows({1, 0, 0, 1, 1, -1, 2, 1})};
    EXPECT_TRUE(other->Run(whole, {}, std::vector{alone.train()}, &expected).ok());
    EXPECT_TRUE(other->Run({}, std::vector{alone.weights()}, {}, &expected).ok());
    for (const Tensor& now : Run({}, weights, {})) {
      EXPECT_TRUE(now.BitwiseEquals(expected[0])) << now.ToString() << " for " << expected[0].ToString();
    }
  }
}

// From the last to the first, as gradients come.
TEST(Buckets, HoldWhatComesTogether) {
  using Cut = std::vector<std::vector<size_t>>;
  EXPECT_EQ(CutIntoBuckets({4, 8, 2}, 0), (Cut{{2}, {1}, {0}}));
  EXPECT_EQ(CutIntoBuckets({4, 8, 2}, 10), (Cut{{2, 1}, {0}}));
  EXPECT_EQ(CutIntoBuckets({4, 8, 2}, 14), (Cut{{2, 1, 0}}));
  EXPECT_EQ(CutIntoBuckets({3, 100, 2, 1}, 10), (Cut{{3, 2}, {1}, {0}})) << "what is larger goes alone";
  EXPECT_EQ(CutIntoBuckets({}, 10), Cut());
}

TEST_P(AllReduced, OneReplicaAtLeastTrains) {
  EXPECT_TRUE(Refuses([&] { AllReduce(*optimizer_, {.replicas = 0}); }, Code::kInvalidArgument, "at least one"));
  EXPECT_TRUE(Refuses([&] { AllReduce(*optimizer_, {.replicas = 2, .bucket_bytes = -1}); }, Code::kInvalidArgument,
                      "not of -1"));
  EXPECT_TRUE(
      Refuses([&] { AllReduce(*optimizer_, {.replicas = 2, .way = "rings"}); }, Code::kInvalidArgument, "not 'rings'"));
}

INSTANTIATE_TEST_SUITE_P(Backends, AllReduced, ::testing::Values("reference", "cpu"));

}  // namespace
}  // namespace plumb
