// Which ops of the catalogue are held against something from outside: TensorFlow's recorded answers, or values that
// somebody computed by hand.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace plumb::conformance {

// The ops that the recorded cases in `folder` reach.
std::set<std::string> RecordedOps(const std::string& folder);
// The ops that tests below `folder` (*_test.cc) name as texts.
std::set<std::string> OpsInTests(const std::string& folder);

// The ops of the catalogue that occur in neither: `root` is the project's folder. Executor ops, which no kernel
// computes and which cannot be written into a user's graph, are left out.
std::vector<std::string> UntriedOps(const std::string& root);

}  // namespace plumb::conformance
