// How a law that does not hold is told and shrunk, seen from outside: the law is tried in a process of its own.
#include "property-tests/law.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <thread>

namespace plumb::property {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr milliseconds kSlow{20};

// Breaks on every tape of three words or more, slowly, and says so.
void BreaksOnThreeWords(Tape& tape) {
  tape.Next();
  tape.Next();
  if (tape.Exhausted()) return;
  std::cerr << "broken\n";
  std::this_thread::sleep_for(kSlow);
  RC_LOG() << "three words\n";
  RC_FAIL("it has three words");
}

// A generator that cannot go on, as it should not be.
void Throws(Tape& tape) {
  if (!tape.Exhausted()) throw Internal("a draw without values");
}

int cases = 0;
void Holds(Tape&) { ++cases; }

// What the law says on standard error, and TryLaw after it, in a process that ends there.
[[noreturn]] void Tell(Law law, milliseconds shrink_time) {
  const auto began = std::chrono::steady_clock::now();
  const std::string answer = TryLaw(law, shrink_time);
  std::cerr << "answer: " << answer << "\n";
  const auto took = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began);
  std::cerr << "left: " << shrink_time.count() << " ms, took: " << (took < std::chrono::seconds(10) ? "short" : "long");
  std::exit(0);
}

class LawDeathTest : public testing::Test {
 protected:
  // RapidCheck says what it was told in RC_PARAMS when it first looks there: here, and not in the process to be seen.
  void SetUp() override { rc::detail::configuration(); }
};

TEST_F(LawDeathTest, TellsSeedAndTapeBeforeItShrinks) {
  EXPECT_EXIT(Tell(&BreaksOnThreeWords, kShrinkTime), testing::ExitedWithCode(0),
              ContainsRegex("^broken\nLawDeathTest.TellsSeed[A-Za-z]+ does not hold; seed: RC_PARAMS='seed=[0-9]+'\n"
                            "replay: PLUMB_TAPE='[0-9,]+' [a-z/_]+ --gtest_filter=LawDeathTest.Tells[A-Za-z]+\n"
                            "broken\n"));
}

TEST_F(LawDeathTest, TellsSeedAndTapeOfWhatIsThrown) {
  EXPECT_EXIT(
      Tell(&Throws, kShrinkTime), testing::ExitedWithCode(0),
      AllOf(ContainsRegex("LawDeathTest.TellsSeed[A-Za-z]+ does not hold; seed: RC_PARAMS='seed=[0-9]+'\nreplay: "),
            ContainsRegex("answer: replay: PLUMB_TAPE='0' "), HasSubstr("a draw without values")));
}

TEST_F(LawDeathTest, ShrinksToTheSimplestTapeThatBreaksIt) {
  EXPECT_EXIT(Tell(&BreaksOnThreeWords, kShrinkTime), testing::ExitedWithCode(0),
              AllOf(ContainsRegex("answer: replay: PLUMB_TAPE='0,0,0' "), HasSubstr("it has three words"),
                    HasSubstr("three words\n"), HasSubstr("took: short")));
}

// Without time, only the case that is to be reported runs again.
TEST_F(LawDeathTest, StopsShrinkingWhenItsTimeIsOver) {
  EXPECT_EXIT(Tell(&BreaksOnThreeWords, milliseconds(0)), testing::ExitedWithCode(0),
              AllOf(ContainsRegex("^broken\nLawDeathTest[^\n]+\nreplay[^\n]+\n(broken\n)?broken\nanswer: replay: "),
                    HasSubstr("left: 0 ms, took: short")));
}

TEST_F(LawDeathTest, LawsThatBreakShareTheTime) {
  const auto twice = [] {
    milliseconds left = 3 * kSlow;
    const std::string first = TryLaw(&BreaksOnThreeWords, left);
    std::cerr << "between\n";
    Tell(&BreaksOnThreeWords, left);
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(0),
              ContainsRegex("between\nbroken\nLawDeathTest[^\n]+\nreplay[^\n]+\n(broken\n)?broken\nanswer: "));
}

TEST_F(LawDeathTest, IsTriedOnTheLibraryThatIsNamed) {
  const auto tried = [](const char* library) {
    unsetenv("PLUMB_LAW_BACKEND");
    if (library != nullptr) setenv("PLUMB_LAW_BACKEND", library, 1);
    std::cerr << "tried: " << TriedBackend() << "\n";
    std::exit(0);
  };
  EXPECT_EXIT(tried(nullptr), testing::ExitedWithCode(0), "tried: cpu\n");
  EXPECT_EXIT(tried("./libmine.so"), testing::ExitedWithCode(0), "tried: ./libmine.so\n");
}

// So that what is printed replays the library's case, and not one of ours.
TEST_F(LawDeathTest, NamesTheLibraryInWhatReplays) {
  const auto told = [] {
    setenv("PLUMB_LAW_BACKEND", "./libmine.so", 1);
    RandomCase random_case;
    random_case.fetches = {"x"};
    std::cerr << TellWithCommands(random_case, TriedBackend()) << "\n";
    Tell(&BreaksOnThreeWords, milliseconds(0));
  };
  EXPECT_EXIT(told(), testing::ExitedWithCode(0),
              AllOf(ContainsRegex("run: build/bin/plumb run [^\n]+ --backend ./libmine.so "),
                    ContainsRegex("\nreplay: PLUMB_LAW_BACKEND='./libmine.so' PLUMB_TAPE='"),
                    ContainsRegex("answer: replay: PLUMB_LAW_BACKEND='./libmine.so' PLUMB_TAPE='")));
}

void HasNothingToCompare(Tape&) { throw NothingToCompare("whatever is drawn", {"Neg"}); }

TEST_F(LawDeathTest, FailsWhereNothingCanBeDrawn) {
  EXPECT_EXIT(Tell(&HasNothingToCompare, kShrinkTime), testing::ExitedWithCode(0),
              AllOf(HasSubstr("answer: nothing was compared: of whatever is drawn, the backend does not declare Neg\n"),
                    Not(HasSubstr("replay"))));
}

TEST_F(LawDeathTest, ALawThatHoldsSaysNothing) {
  EXPECT_EXIT(Tell(&Holds, kShrinkTime), testing::ExitedWithCode(0),
              AllOf(ContainsRegex("answer: \nleft: 20000 ms"), Not(HasSubstr("seed"))));
}

TEST(Laws, AreTriedOnAsManyCasesAsAskedForAndSlowOnesOnAThird) {
  const auto cases_of = [](Share share) {
    milliseconds shrink_time = kShrinkTime;
    cases = 0;
    EXPECT_EQ(TryLaw(&Holds, shrink_time, share), "");
    return cases;
  };
  const int asked_for = rc::detail::configuration().testParams.maxSuccess;
  EXPECT_EQ(cases_of(Share::kAll), asked_for);
  EXPECT_EQ(cases_of(Share::kThird), asked_for / 3 + (asked_for % 3 == 0 ? 0 : 1));
}

}  // namespace
}  // namespace plumb::property
