#include "conformance/process/forked.h"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <thread>

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

// However they are cut into pieces on their way: short ones arrive together, long ones bit by bit.
TEST(Forked, AnswersArriveOneByOneAndWhole) {
  std::vector<std::string> sent = {"", "one", "two", ""};
  for (const size_t length : {1, 16383, 16384, 16385, 100000, 2, 3}) sent.push_back(std::string(length, 'x') + "y");
  const ForkedResult result = RunForked([&](const Answer& answer) {
    for (const std::string& line : sent) answer(line);
  });
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.answers, sent);
}

TEST(Forked, AnswersBeforeAnErrorAreKept) {
  const ForkedResult result = RunForked([](const Answer& answer) {
    answer("one");
    throw NotFound("it is gone");
  });
  EXPECT_EQ(result.answers, std::vector<std::string>{"one"});
  EXPECT_EQ(result.thrown.code(), Code::kNotFound);
}

TEST(Forked, AnExitCodeIsSaid) {
  EXPECT_EQ(RunForked([](const Answer&) { _exit(7); }).failure, "exited with 7");
  EXPECT_TRUE(RunForked([](const Answer&) { _exit(7); }).thrown.ok());
}

// Descriptors of this process that the work can have inherited, besides the standard ones.
constexpr int kDescriptors = 256;

// No loop for ever, and no code that says that the work threw.
TEST(Forked, WorkThatNobodyCanHearEnds) {
  const ForkedResult result = RunForked(
      [](const Answer& answer) {
        for (int i = 3; i < kDescriptors; ++i) close(i);
        answer("one");
      },
      std::chrono::seconds(20));
  EXPECT_TRUE(result.answers.empty());
  EXPECT_EQ(result.failure, "exited with 2");
}

// A pipe that is full, and a signal every millisecond, which interrupts who waits for it to empty.
TEST(Forked, SignalsLoseNoAnswer) {
  const std::string line(1 << 20, 'x');
  ForkedProcess process([&](const Answer& answer) {
    struct sigaction act {};
    act.sa_handler = [](int) {};
    sigaction(SIGALRM, &act, nullptr);
    const itimerval each{{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &each, nullptr);
    answer(line);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::vector<std::string> answers;
  while (process.Read(&answers)) continue;
  EXPECT_EQ(process.Failure(), "");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0] == line, true);
}

TEST(Forked, IsKilledWithItsOwner) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    const ForkedProcess process([](const Answer&) {
      for (;;) pause();
    });
    close(ends[1]);
  }
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "nobody is left who could write";
  close(ends[0]);
}

TEST(Forked, AnEndIsAnEnd) {
  const ForkedResult result = RunForked([](const Answer& answer) { answer("one"); });
  EXPECT_EQ(result.failure, "");
}

}  // namespace
}  // namespace plumb::conformance
