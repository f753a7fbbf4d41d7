#include "conformance/process/shared_work.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

// Says of each piece its number, which process did it, and how many the process had done before.
class Sayer : public PieceWorker {
 public:
  void Do(size_t piece, const Answer& answer) override {
    answer(std::to_string(piece));
    answer(Str(getpid(), " ", done_++));
    if (piece == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }

 private:
  int done_ = 0;
};

class Failing : public PieceWorker {
 public:
  explicit Failing(bool throws) : throws_(throws) {}
  void Do(size_t piece, const Answer&) override {
    if (piece != 3) return;
    if (throws_) throw InvalidArgument("the fourth is bad");
    std::raise(SIGKILL);
  }

 private:
  const bool throws_;
};

std::vector<std::string> AnswersOf(size_t pieces, int processes) {
  std::vector<std::string> answers;
  ShareWork(
      pieces, processes, [] { return std::make_unique<Sayer>(); },
      [&](const std::string& answer) { answers.push_back(answer); });
  return answers;
}

Code CodeOf(bool throws) {
  try {
    ShareWork(
        8, 2, [&] { return std::make_unique<Failing>(throws); }, [](const std::string&) {});
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

// The first piece is slow: the others are done meanwhile, and are told after it.
TEST(SharedWork, AnswersComeInTheOrderOfThePieces) {
  const std::vector<std::string> answers = AnswersOf(20, 3);
  ASSERT_EQ(answers.size(), 40U);
  std::set<std::string> processes;
  for (size_t piece = 0; piece < 20; ++piece) {
    EXPECT_EQ(answers[2 * piece], std::to_string(piece));
    processes.insert(answers[2 * piece + 1].substr(0, answers[2 * piece + 1].find(' ')));
  }
  EXPECT_GT(processes.size(), 1U);
  EXPECT_FALSE(processes.contains(std::to_string(getpid())));
}

TEST(SharedWork, OneWorkerDoesItHere) {
  const std::vector<std::string> answers = AnswersOf(3, 1);
  EXPECT_EQ(answers,
            (std::vector<std::string>{"0", Str(getpid(), " 0"), "1", Str(getpid(), " 1"), "2", Str(getpid(), " 2")}));
}

// As many processes as are asked for, and no more than there are pieces; what a process has done before, it remembers.
TEST(SharedWork, EveryProcessKeepsItsWorker) {
  const auto processes = [](const std::vector<std::string>& answers) {
    std::map<std::string, int> done;
    for (size_t i = 1; i < answers.size(); i += 2) {
      const std::string process = answers[i].substr(0, answers[i].find(' '));
      EXPECT_EQ(answers[i], Str(process, " ", done[process]++));
    }
    return done;
  };
  EXPECT_EQ(processes(AnswersOf(2, 8)).size(), 2U) << "the first piece keeps one of them busy";
  EXPECT_LE(processes(AnswersOf(9, 2)).size(), 2U);
  EXPECT_EQ(processes(AnswersOf(1, 8)).size(), 1U);
  for (const int processes_at_most : {1, 0, -1}) {
    EXPECT_EQ(processes(AnswersOf(3, processes_at_most)), (std::map<std::string, int>{{std::to_string(getpid()), 3}}));
  }
}

TEST(SharedWork, WhatAWorkerThrowsIsThrownHereToo) {
  EXPECT_THROW(ShareWork(
                   4, 1, [] { return std::make_unique<Failing>(true); }, [](const std::string&) {}),
               Error);
}

TEST(SharedWork, NothingIsDoneAtOnce) { EXPECT_TRUE(AnswersOf(0, 4).empty()); }

TEST(SharedWork, WhatAWorkerThrowsIsThrown) { EXPECT_EQ(CodeOf(true), Code::kInvalidArgument); }

TEST(SharedWork, AProcessThatEndsBeforeItsTimeIsSaid) { EXPECT_EQ(CodeOf(false), Code::kInternal); }

}  // namespace
}  // namespace plumb::conformance
