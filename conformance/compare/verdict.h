// What the judge says about one comparison (conformance gates).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::conformance {

// The gates, in the order in which they are tried; a verdict names the first that fails. kCrash: the backend's process
// ended, or had to be killed.
enum class Gate { kNone, kCrash, kStatus, kType, kExact, kBound, kEffect };
std::string_view GateName(Gate gate);

// What set the limit: equality, the running error bound of the reference (with the sound limit of sums, or the sharp
// one), or its measured sensitivity.
enum class Judge { kExact, kComputed, kSharp, kMeasured };
std::string_view JudgeName(Judge judge);

struct Verdict {
  Gate failed = Gate::kNone;
  std::string detail;  // of a failure: where, expected and actual
  Judge judge = Judge::kExact;
  int64_t compared = 0;  // elements
  double worst = 0;      // largest |actual − expected| / limit

  bool ok() const { return failed == Gate::kNone; }
};

}  // namespace plumb::conformance
