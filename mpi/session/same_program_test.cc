// Ranks of one run state one program: whoever states another is named with the first difference, and nobody begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "mpi/transport/loopback.h"
#include "mpi/transport/testing/mailbox.h"
#include "mpi/worker/server.h"
#include "spec/core/status_testing.h"

namespace plumb::dist {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Statement WithBatch(const std::string& batch) { return Statement({{"--steps", "10"}, {"--batch", batch}}); }

// How each rank's AwaitOthers ends; all leave.
std::vector<Status> Outcomes(const std::vector<Statement>& statements) {
  auto ends = NewLoopback(static_cast<int>(statements.size()));
  std::vector<Status> outcomes(statements.size());
  std::vector<std::thread> ranks;
  for (size_t rank = 0; rank < statements.size(); ++rank) {
    ranks.emplace_back([&, rank, end = std::move(ends[rank])]() mutable {
      ServerOptions options;
      options.threads = 2;
      options.statement = statements[rank];
      Server server(std::move(end), options);
      outcomes[rank] = StatusOf([&] { server.AwaitOthers(); });
    });
  }
  for (std::thread& rank : ranks) rank.join();
  return outcomes;
}

TEST(SamePrograms, Begin) {
  for (const Status& outcome : Outcomes({WithBatch("16"), WithBatch("16"), WithBatch("16")})) {
    EXPECT_EQ(outcome.ToString(), "OK");
  }
  for (const Status& outcome : Outcomes({{}, {}})) EXPECT_EQ(outcome.ToString(), "OK");
}

TEST(OtherPrograms, AreNamedOnEveryRank) {
  const std::vector<Status> outcomes = Outcomes({WithBatch("16"), WithBatch("16"), WithBatch("32")});
  for (const Status& outcome : outcomes) EXPECT_EQ(outcome.code(), Code::kFailedPrecondition);
  EXPECT_THAT(outcomes[0].message(),
              AllOf(HasSubstr("--batch is 16 on rank 0 and 32 on rank 2"), HasSubstr("rank 0 differs from rank 2)")));
  EXPECT_THAT(outcomes[1].message(), HasSubstr("--batch is 16 on rank 1 and 32 on rank 2"));
  EXPECT_THAT(outcomes[2].message(), AllOf(HasSubstr("--batch is 16 on rank 0 and 32 on rank 2"),
                                           HasSubstr("rank 2 differs from ranks 0, 1)")));
}

TEST(OtherPrograms, AreThoseThatStateNothing) {
  const std::vector<Status> outcomes = Outcomes({WithBatch("16"), {}});
  for (const Status& outcome : outcomes) {
    EXPECT_THAT(outcome.message(), HasSubstr("--steps is 10 on rank 0, and rank 1 has none"));
  }
}

// A rank that dies before it has said how it differs is named as one that died.
TEST(OtherPrograms, ThatDieBeforeTheySayMoreAreNamed) {
  Mailbox box;  // outlives its end
  auto ends = NewLoopback(2);
  ends[1]->Start(&box);
  ServerOptions options;
  options.statement = WithBatch("16");
  Server server(std::move(ends[0]), options);
  ends[1]->Send(0, Encode(Hello{kProtocolVersion, "worker=2 with 1 CPUs each", 7}));
  Crash(*ends[1]);
  const Status outcome = StatusOf([&] { server.AwaitOthers(); });
  EXPECT_EQ(outcome.code(), Code::kUnavailable);
  EXPECT_THAT(outcome.message(), HasSubstr("rank 1"));
}

// Whatever another version says behind its number.
TEST(OtherVersions, AreNamed) {
  Mailbox box;  // outlives its end
  auto ends = NewLoopback(2);
  ends[1]->Start(&box);
  Server server(std::move(ends[0]), {});
  Writer writer;
  writer(kProtocolVersion + 1, std::string("and what is new in it"), true);
  ends[1]->Send(0, std::string(1, static_cast<char>(MessageKind::kHello)) + writer.Take());
  const Status outcome = StatusOf([&] { server.AwaitOthers(); });
  EXPECT_EQ(outcome.code(), Code::kFailedPrecondition);
  EXPECT_THAT(outcome.message(), HasSubstr(Str("rank 1 speaks version ", kProtocolVersion + 1)));
  ends[1]->Stop();
}

}  // namespace
}  // namespace plumb::dist
