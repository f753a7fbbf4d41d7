// The reference beside a session under test: it takes the same steps, says what they may answer, and on demand how
// sensitive the answer is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/compare/compare.h"
#include "conformance/compare/shape_rules.h"
#include "reference/session.h"

namespace plumb::conformance {

struct StepRequest {
  std::vector<Feed> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
};

// How sums are judged: by what holds for any data and order, or, on generated data, by what errors of honest
// implementations come to (rule N16).
enum class Limits { kSound, kSharp };

class Oracle {
 public:
  // `options`: of the session under test where it matters which devices there are (rules W15, W26, R36).
  explicit Oracle(GraphDef graph, Limits limits = Limits::kSound,
                  SessionOptions options = {.allow_soft_placement = true});
  // Whether the graph could be loaded; every step fails with this otherwise.
  const Status& loaded() const { return loaded_; }

  // Takes the next step. Values carry their error bounds. Fails with kInternal when a kernel's result has another shape
  // than the catalogue's rule allows.
  Status Run(const StepRequest& step, std::vector<reference::Value>* values);
  const ShapeRules& shape_rules() const { return shape_rules_; }
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

  const GraphDef graph_;
  const Limits limits_;
  const SessionOptions options_;
  reference::ReferenceSession session_;
  ShapeRules shape_rules_;
  Status loaded_;
  std::vector<StepRequest> steps_;
  std::vector<Perturbed> perturbed_;
};

}  // namespace plumb::conformance
