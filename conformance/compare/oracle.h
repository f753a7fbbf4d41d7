// The reference beside a session under test: it takes the same steps, says what they may answer, and on demand how
// sensitive the answer is.
#pragma once

#include <memory>
#include <optional>
#include <span>
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
  // `options`: of the session under test where it matters which devices there are (rules W15, W26, R36). `walk`: which
  // of the events comes next that no edge orders, of one step or of several. 0: the one that the reference chooses
  // (rules E1, E7); others: a random walk of this number.
  explicit Oracle(GraphDef graph, Limits limits = Limits::kSound,
                  SessionOptions options = {.allow_soft_placement = true}, uint64_t walk = 0);
  // Whether the graph could be loaded; every step fails with this otherwise.
  const Status& loaded() const { return loaded_; }

  // Orders the events of the steps from here on by this walk.
  void Walk(uint64_t walk) { begins_ = walk; }
  // Takes the next step. Values carry their error bounds. Fails with kInternal when a kernel's result has another shape
  // than the catalogue's rule allows.
  Status Run(const StepRequest& step, std::vector<reference::Value>* values);
  // Takes several steps beside each other. Those that are left when nothing can move any more end at once, and their
  // messages say who waits for what (rule S9).
  std::vector<reference::StepOutcome> RunTogether(std::span<const StepRequest> steps);
  const ShapeRules& shape_rules() const { return shape_rules_; }
  // What fetch `fetch` of the last step is under random rounding: all steps so far, kRuns times. Of several that ran
  // together, of the one numbered `step`.
  std::vector<Tensor> Sample(size_t fetch, size_t step = 0);
  Samples Sampler(size_t fetch, size_t step = 0) {
    return [this, fetch, step] { return Sample(fetch, step); };
  }

 private:
  static constexpr int kRuns = 8;
  // Steps that ran together, and the walk that began with them, if one did.
  struct Group {
    std::optional<uint64_t> walk;
    std::vector<reference::StepRequest> steps;
  };
  // A session that takes the same steps under random rounding; it follows only when it is asked.
  struct Perturbed {
    std::unique_ptr<reference::ReferenceSession> session;
    std::unique_ptr<reference::Driver> driver;
    size_t groups_done = 0;
    std::vector<reference::StepOutcome> outcomes;  // of the last steps
  };
  void Follow(Perturbed& run, uint64_t seed);

  const GraphDef graph_;
  const Limits limits_;
  const SessionOptions options_;
  std::optional<uint64_t> begins_;  // a walk that no step has taken yet
  std::unique_ptr<reference::Driver> driver_;
  reference::ReferenceSession session_;
  ShapeRules shape_rules_;
  Status loaded_;
  std::vector<Group> taken_;
  std::vector<Perturbed> perturbed_;
};

}  // namespace plumb::conformance
