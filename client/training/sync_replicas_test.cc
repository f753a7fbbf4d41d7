// Synchronous replicas in one program: means, stale gradients, backup workers, groups, and how they end.
#include "client/training/sync_replicas.h"

#include <thread>

#include "client/embedding/lookup.h"
#include "client/ops.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/global_step.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> Floats(const Tensor& tensor) {
  const auto data = tensor.data<float>();
  return {data.begin(), data.end()};
}

// Replicas that share one variable: replica i's gradient is what is fed as input i.
class Replicas : public ::testing::TestWithParam<std::string_view> {
 protected:
  // Of a variable [2] that starts at zero, and of the loss Σ v·x.
  void Make(int replicas, int aggregate, const std::vector<std::string>& groups = {}) {
    const Variable steps = MakeGlobalStep(scope_);
    variable_ = MakeVariable(scope_, Constant(scope_, {0.0F, 0.0F}));
    step_ = steps.value();
    for (int i = 0; i < replicas; ++i) {
      SyncReplicasOptions options;
      options.replicas = replicas, options.aggregate = aggregate;
      if (!groups.empty()) options.group = groups[i], options.replicas = options.aggregate = 1;
      inputs_.push_back(scope_.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}}));
      const Output product = ops::Mul(scope_, *variable_, inputs_.back());
      replicas_.push_back(std::make_unique<SyncReplicas>(*sgd_, steps, options));
      trains_.push_back(replicas_.back()->Minimize(scope_, ops::Sum(scope_, product, Constant(scope_, 0))));
    }
    Begin();
  }

  void Begin() {
    const NodeId init = InitializeAll(scope_);
    program_.emplace(scope_, OpenSession(GetParam(), {}));
    program_->Run(init);
    for (const auto& replica : replicas_) program_->Run(replica->begin());
    program_->Run(replicas_[0]->initialize());
  }

  // The gradient of a replica is handed in on a thread of its own, which ends when a token comes, and says of which
  // step.
  std::thread Train(int replica, std::vector<float> gradient) {
    return std::thread([this, replica, gradient = std::move(gradient)] {
      const Tensor fed = MakeVector<float>({gradient[0], gradient[1]});
      program_->Fetch({Output(&scope_.builder(), {trains_[replica], 0})}, {{inputs_[replica], fed}});
    });
  }

  Scope scope_;
  const std::unique_ptr<Optimizer> sgd_ = Sgd({.learning_rate = 1});
  std::optional<Variable> variable_;
  Output step_;
  std::vector<Output> inputs_;
  std::vector<std::unique_ptr<SyncReplicas>> replicas_;
  std::vector<NodeId> trains_;
  std::optional<Program> program_;
};

PLUMB_ON_EACH_BACKEND(Replicas);

TEST_P(Replicas, TakeTheStepOfTheMeanGradient) {
  Make(2, 2);
  std::thread first = Train(0, {1, 8}), second = Train(1, {3, -4});
  program_->Run(replicas_[0]->update());
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-2, -2));
  EXPECT_EQ(program_->Fetch(step_).scalar<int64_t>(), 1);
  program_->Run(replicas_[0]->release());
  first.join();
  second.join();
}

TEST_P(Replicas, WaitForEachOther) {
  Make(2, 2);
  std::thread first = Train(0, {1, 1});
  RunOptions soon;
  soon.timeout_ms = 50;
  std::vector<Tensor> none;
  const std::vector<std::string> update = {scope_.NameOf(replicas_[0]->update())};
  EXPECT_EQ(program_->session().Run(soon, {}, {}, update, &none, nullptr).code(), Code::kDeadlineExceeded)
      << "one gradient is no update";
  std::thread second = Train(1, {1, 1});
  program_->Run(replicas_[0]->update());
  program_->Run(replicas_[0]->release());
  first.join();
  second.join();
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-1, -1));
}

// Figure 4c: two of three gradients make an update; the third, which comes late, counts in none.
TEST_P(Replicas, DropTheLateGradientOfABackupWorker) {
  Make(3, 2);
  std::thread first = Train(0, {1, 1}), second = Train(1, {3, 3});
  program_->Run(replicas_[0]->update());
  program_->Run(replicas_[0]->release());
  first.join();
  second.join();
  Train(2, {100, 100}).join();  // of step 0; the token lets it go on with step 1
  std::thread next = Train(0, {1, 1}), late = Train(2, {5, 5});
  program_->Run(replicas_[0]->update());
  program_->Run(replicas_[0]->release());
  next.join();
  late.join();
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-2 - 3, -2 - 3));
}

// A replica that is away leaves a token of each step; who takes one throws it away.
TEST_P(Replicas, ThrowAwayTokensOfStepsThatAreOver) {
  Make(2, 1);
  for (int step = 0; step < 2; ++step) {
    std::thread first = Train(0, {1, 1});
    program_->Run(replicas_[0]->update());
    program_->Run(replicas_[0]->release());
    first.join();
  }
  const Output retaken(&scope_.builder(), {replicas_[0]->retake(), 0});
  EXPECT_EQ(program_->Fetch(retaken).scalar<int64_t>(), 2) << "what it had was the token of step 1 that was left over";
  std::thread first = Train(0, {5, 5});
  program_->Run(replicas_[0]->update());
  program_->Run(replicas_[0]->release());
  first.join();
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-7, -7)) << "the gradient counts";
}

TEST_P(Replicas, EndWhenTheTokensAreClosed) {
  Make(2, 2);
  program_->Run(replicas_[0]->close());
  try {
    program_->Run(trains_[1], {{inputs_[1], MakeVector<float>({1, 1})}});
    FAIL() << "there is no token";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kOutOfRange);
  }
}

TEST_P(Replicas, OfOtherGroupsDoNotWait) {
  Make(2, 2, {"a", "b"});
  std::thread second = Train(1, {2, 4});
  program_->Run(replicas_[1]->update());
  program_->Run(replicas_[1]->release());
  second.join();
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-2, -4));
}

// Where all gradients of a group are waited for, none comes too late, though another group has come further meanwhile.
TEST_P(Replicas, OfAGroupThatBeginsLateCountAll) {
  Make(2, 2, {"a", "b"});
  for (int step = 0; step < 2; ++step) {
    std::thread first = Train(0, {1, 1});
    program_->Run(replicas_[0]->update());
    program_->Run(replicas_[0]->release());
    first.join();
  }
  program_->Run(replicas_[1]->initialize());
  std::thread second = Train(1, {2, 4});
  program_->Run(replicas_[1]->update());
  program_->Run(replicas_[1]->release());
  second.join();
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-4, -6));
}

// Rows of a table that several replicas look up: their mean is over the replicas, row by row.
TEST_P(Replicas, AddRowsOfTables) {
  const Variable steps = MakeGlobalStep(scope_);
  variable_ = MakeVariable(scope_, Constant(scope_, MakeTensor<float>({4, 2}, {0, 0, 0, 0, 0, 0, 0, 0})));
  for (int i = 0; i < 2; ++i) {
    inputs_.push_back(scope_.Call("Placeholder", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape({2})}}));
    const Output rows =
        ops::Sum(scope_, EmbeddingLookup(scope_, {*variable_}, inputs_.back()), Constant(scope_, {0, 1}));
    replicas_.push_back(std::make_unique<SyncReplicas>(*sgd_, steps, SyncReplicasOptions{2, 2, "sync", ""}));
    trains_.push_back(replicas_.back()->Minimize(scope_, rows));
  }
  Begin();
  const auto train = [&](int replica, const Tensor& ids) {
    return std::thread([this, replica, ids] { program_->Run(trains_[replica], {{inputs_[replica], ids}}); });
  };
  std::thread first = train(0, MakeVector<int32_t>({2, 0})), second = train(1, MakeVector<int32_t>({2, 2}));
  program_->Run(replicas_[0]->update());
  program_->Run(replicas_[0]->release());
  first.join();
  second.join();
  // Row 0 has one gradient; of row 2 one replica gives 1, the other the sum of its two.
  EXPECT_THAT(Floats(program_->Fetch(*variable_)), ElementsAre(-1, -1, 0, 0, -1.5, -1.5, 0, 0));
}

TEST(SyncReplicas, RefuseUpdatesOfMoreGradientsThanThereAreReplicas) {
  Scope scope;
  const Variable steps = MakeGlobalStep(scope);
  const auto sgd = Sgd({});
  for (const int aggregate : {0, 3}) {
    try {
      SyncReplicas replicas(*sgd, steps, {2, aggregate, "sync", ""});
      ADD_FAILURE() << aggregate;
    } catch (const Error& error) {
      EXPECT_THAT(error.status().message(), HasSubstr("at least 1, and at most as many"));
    }
  }
}

}  // namespace
}  // namespace plumb
