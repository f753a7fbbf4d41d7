// How laws are tried: on random tapes, shrunk when they break, and again on the tape that a failure names.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "property-tests/random_graph.h"
#include "property-tests/tape.h"

namespace plumb::property {

using Law = void (*)(Tape& tape);

// Tries the law as the current test. With PLUMB_TAPE in the environment (words, separated by commas), on that tape
// alone.
void CheckLaw(Law law);

// Writes the case to a file of the current test, and logs the case, the file and the commands that run it on each
// backend. The last one to fail is the shrunk one.
void LogFailure(const RandomCase& random_case);

}  // namespace plumb::property

// PLUMB_LAW(Suite, Name) { … } is a test that decodes `tape` and says with RC_ASSERT what must hold.
#define PLUMB_LAW(suite, name)                                              \
  static void Law_##suite##_##name(::plumb::property::Tape& tape);          \
  TEST(suite, name) { ::plumb::property::CheckLaw(&Law_##suite##_##name); } \
  static void Law_##suite##_##name([[maybe_unused]] ::plumb::property::Tape& tape)
