#include "conformance/process/forked.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

TEST(Forked, AnswersOutliveACrash) {
  const ForkedResult result = RunForked([](const Answer& answer) {
    answer("one");
    std::raise(SIGKILL);
  });
  EXPECT_EQ(result.answers, std::vector<std::string>{"one"});
  EXPECT_NE(result.failure.find("crashed"), std::string::npos) << result.failure;
}

TEST(Forked, AnErrorIsAFailureThatSaysItself) {
  const ForkedResult result = RunForked([](const Answer&) { throw InvalidArgument("no such thing"); });
  EXPECT_TRUE(result.answers.empty());
  EXPECT_EQ(result.failure, "threw INVALID_ARGUMENT: no such thing");
}

TEST(Forked, AnErrorArrivesWithItsReasonAndAllItsLines) {
  const ForkedResult result = RunForked([](const Answer&) { throw NoKernel(Code::kNotFound, "one\ntwo"); });
  EXPECT_EQ(result.thrown.code(), Code::kNotFound);
  EXPECT_EQ(result.thrown.reason(), Reason::kNoKernel);
  EXPECT_EQ(result.thrown.message(), "one\ntwo");
}

TEST(Forked, SilenceIsAHang) {
  const ForkedResult result = RunForked(
      [](const Answer& answer) {
        answer("one");
        for (;;) pause();
      },
      std::chrono::milliseconds(50));
  EXPECT_EQ(result.answers, std::vector<std::string>{"one"});
  EXPECT_EQ(result.failure, "hung: silent for 50 ms");
}

TEST(Forked, AnEndIsAnEnd) {
  const ForkedResult result = RunForked([](const Answer& answer) { answer("one"); });
  EXPECT_EQ(result.failure, "");
}

}  // namespace
}  // namespace plumb::conformance
