// Which ops of the catalogue are held against something from outside: TensorFlow's recorded answers, or values that
// somebody computed by hand.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace plumb::conformance {

// The ops that the recorded cases in `folder` reach.
std::set<std::string> RecordedOps(const std::string& folder);
// The ops that tests below `folder` (*_test.cc) give inputs to: in a call, or an object made of them, that begins with
// the op's name, or with a node's name and the op's, and goes on with a list of inputs, as in
//   RunKernel1("TileGrad", {…}), KernelCall{"TileGrad", {…}}, graph.Add("q", "FIFOQueue", {}, …)
// A name in a comment, in a list of names or in a question about the catalogue gives it none.
std::set<std::string> OpsInTests(const std::string& folder);

// The ops of the catalogue that occur in no recorded case and in no test beside a kernel: `root` is the project's
// folder. Ops of TensorFlow's own passes, whose names begin with '_', are in no graph that could be recorded, and few
// have kernels: the tests of the reference's step and of whole sessions (backends/) count for them as well.
std::vector<std::string> UntriedOps(const std::string& root);

}  // namespace plumb::conformance
