// How laws are tried: on random tapes, shrunk when they break, and again on the tape that a failure names.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "property-tests/generators/declared.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/generators/tape.h"

namespace plumb::property {

using Law = void (*)(Tape& tape);

// How long the laws that break in one process are shrunk, all of them together.
constexpr std::chrono::milliseconds kShrinkTime = std::chrono::seconds(20);

// Of how many of the cases that RC_PARAMS asks for one is tried: laws differ by a factor of a hundred in what a case
// takes, and the slowest would take half of the time of all.
enum class Share { kAll = 1, kThird = 3 };

// Tries the law as the current test. With PLUMB_TAPE in the environment (words, separated by commas), on that tape
// alone.
void CheckLaw(Law law, Share share = Share::kAll);

// Whom laws that hold for any backend are tried on: our fast path, or the library that PLUMB_LAW_BACKEND names.
std::string TriedBackend();

// What that backend declares (generators/declared.h): of a library what it says itself, of our own everything.
Declares DeclaredByTried();

// What CheckLaw fails with, or nothing if the law holds. A law whose generator finds NothingToCompare fails with the
// reason. The first case that breaks the law is told on standard error
// at once, with the seed and the command that replays it; then it is shrunk for `shrink_time` at most, and so is what
// breaks after that, in what is left of the time.
std::string TryLaw(Law law, std::chrono::milliseconds& shrink_time, Share share = Share::kAll);

// Logs what `tell` says if the law breaks while this lives: cases that hold need no text.
template <class Tell>
class ToldIfBroken {
 public:
  explicit ToldIfBroken(Tell tell) : tell_(std::move(tell)) {}
  ~ToldIfBroken() {
    if (std::uncaught_exceptions() > exceptions_) RC_LOG() << tell_() << "\n";
  }
  ToldIfBroken(const ToldIfBroken&) = delete;
  ToldIfBroken& operator=(const ToldIfBroken&) = delete;

 private:
  const Tell tell_;
  const int exceptions_ = std::uncaught_exceptions();
};

// The case, written to a file of the current test as well, and the command that runs it on the backend. The last one
// to be told is the shrunk one.
std::string TellWithCommands(const RandomCase& random_case, const std::string& backend = "cpu");

}  // namespace plumb::property

// PLUMB_LAW(Suite, Name) { … } is a test that decodes `tape` and says with RC_ASSERT what must hold. PLUMB_SLOW_LAW is
// for those that take more than 25 ms for a case on a core.
#define PLUMB_LAW(suite, name) PLUMB_LAW_OF(suite, name, ::plumb::property::Share::kAll)
#define PLUMB_SLOW_LAW(suite, name) PLUMB_LAW_OF(suite, name, ::plumb::property::Share::kThird)
#define PLUMB_LAW_OF(suite, name, share)                                           \
  static void Law_##suite##_##name(::plumb::property::Tape& tape);                 \
  TEST(suite, name) { ::plumb::property::CheckLaw(&Law_##suite##_##name, share); } \
  static void Law_##suite##_##name([[maybe_unused]] ::plumb::property::Tape& tape)
