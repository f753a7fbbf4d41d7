// The reference beside a session under test: it takes the same steps, says what they may answer, and on demand how
// sensitive the answer is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/compare/compare.h"
#include "reference/session.h"

namespace plumb::conformance {

struct StepRequest {
  std::vector<Feed> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
};

class Oracle {
 public:
  explicit Oracle(GraphDef graph);
  // Whether the graph could be loaded; every step fails with this otherwise.
  const Status& loaded() const { return loaded_; }

  // Takes the next step. Values carry their error bounds.
  Status Run(const StepRequest& step, std::vector<reference::Value>* values);
  // What fetch `fetch` of the last step is under random rounding: all steps so far, kRuns times.
  std::vector<Tensor> Sample(size_t fetch);
  Samples Sampler(size_t fetch) {
    return [this, fetch] { return Sample(fetch); };
  }

 private:
  static constexpr int kRuns = 8;
  // A session that takes the same steps under random rounding; it follows only when it is asked.
  struct Perturbed {
    std::unique_ptr<reference::ReferenceSession> session;
    size_t steps_done = 0;
    std::vector<reference::Value> values;  // of the last step; empty when it failed
  };
  void Follow(Perturbed& run, uint64_t seed);

  GraphDef graph_;
  reference::ReferenceSession session_;
  Status loaded_;
  std::vector<StepRequest> steps_;
  std::vector<Perturbed> perturbed_;
};

}  // namespace plumb::conformance
