// One op on one choice of types: every case that the row describes, on the backend and on the reference.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "conformance/compare/bias.h"
#include "conformance/suites/answers.h"
#include "conformance/suites/attributes.h"
#include "conformance/suites/drawn_cases.h"
#include "conformance/suites/ops.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/trial_folders.h"
#include "conformance/suites/variants.h"

namespace plumb::conformance {

// What the trials of an op leave to those after them.
struct Known {
  std::set<std::string> undrawable;   // values of attributes (AttrDraw::name) that are not worth another attempt
  std::set<std::string> drawn_large;  // values of attributes that ran on large sizes
  std::set<std::string> large;        // choice points whose large side was taken, by any op
  bool is_emptied = false;            // each size that may be 0 was 0 once
  std::set<std::string> given_up;     // choice points, with the size of an element, whose large side was not reached
};

// What the trials of an op on the same types share, on whichever backend.
struct TriedTogether {
  DrawnCases cases;
  KnownAnswers answers;
};

// Which cases of a volume are tried.
struct LargeCases {
  bool single = false;      // those in which one size alone is large
  bool first_only = false;  // of the alternatives, the first that can be compared
};

class Trial {
 public:
  // Its files lie below `folder`. `together`: of this op on these types.
  Trial(const OpDef& op, const Variant& variant, const Backend& backend, const OpsOptions& options,
        const std::string& folder, Known* known, TriedTogether* together);

  OpResult Judged();

 private:
  bool ok() const { return result_.outcome == Outcome::kPassed; }
  bool IsSum() const { return op_.accuracy.kind == AccuracyClass::kSummation; }
  bool HasFormula() const { return IsSum() || op_.accuracy.kind == AccuracyClass::kComposed; }

  void TryRounds();
  // Values of attributes that no sample has drawn are put in their place.
  void TryAttributes();
  void TryAttribute(const AttrDraw& draw);
  // Each size that may be 0 by itself, once for each op.
  void TryEmpty();
  // Long sums of high-entropy data: the sharp limit judges them (rule N16).
  void TryLong();
  // Sizes at which kernels choose other paths than for small ones; sums on the lattice, where every order is exact.
  void TryLarge();
  // Every value of an attribute, on sizes at which loops are cut.
  void TryLargeAttributes();
  // Types besides those that stand for all, and other sizes, where a limit's large side is not yet taken.
  void TryOneSided();
  std::set<std::string> OneSided() const;
  bool TryLargeSizes(int64_t volume, const AttrMap& attrs, uint64_t seed, const LargeCases& which = {});

  // The case, and of a sum the same on lattice data, where sums have no error in any order.
  void TryAlsoOnLattice(const SampledCase& sampled);
  bool TryOnLattice(SampledCase sampled);
  // Whether there were values to compare, on both sides.
  bool Try(const SampledCase& sampled);

  // Makes `session_` one that has this graph. `leaves_nothing`: in a session; then it may be that of the case before,
  // whose plans meet other sizes now.
  void Load(const SingleNode& single, bool leaves_nothing);
  // Whether the step gave values on both sides; a disagreement fails the trial.
  bool RunStep(const StepRequest& step, Answers& answers, size_t number, Gate gate);
  void RunAgain(const StepRequest& step, Answers& answers, size_t number);
  void TakeUp();
  // Whether anything ran on the device that is to be tried: the host's kernels have courts of their own.
  bool IsThere() const { return result_.elsewhere == 0 || result_.compared > 0; }
  // Whether what is tried ran, in the step whose trace this is, on the device that is to be tried.
  bool RanThere(const RunMetadata& trace);
  void CompareOutput(const StepRequest& step, size_t i, const Tensor& actual, const reference::Value& allowed,
                     const Samples& samples, Gate gate);
  // No sample waits for another step. What does not end within half of the time for which a process may be silent, or
  // never can (rule S9), fails the trial.
  bool EndsInTime(const std::string& side, const Status& status);
  // Whether both sides took it, or refused it alike: with one code, or for want of a kernel. One that is missing for
  // the types themselves ends the trial; one that is missing for other attributes or sizes (`varied_`), when the types
  // have been taken before, may be missing only where the other side refuses as well.
  bool SameCode(const Status& actual, const Status& expected);
  // A side has no kernel for these types.
  void Refused(const Backend& side, const Status& status);

  void Fail(Gate gate, const std::string& detail);
  void Unsupported(const std::string& detail);
  void Elsewhere();
  // The command that draws the cases of one seed again.
  std::string Reproduce(uint64_t seed, int rounds) const;

  const OpDef& op_;
  const Variant& variant_;
  const Backend& backend_;
  const OpsOptions& options_;
  const TrialFolders folders_;
  Known* const known_;
  TriedTogether* const together_;
  uint64_t seed_;  // of the case that is being tried
  std::string label_;
  const GraphDef* graph_ = nullptr;  // of that case
  std::unique_ptr<Session> session_;
  std::string loaded_graph_;  // of the session, serialised; empty where no other case may have it
  Status loaded_;             // what the session said of the graph
  bool lattice_ = false, varied_ = false;
  RunMetadata trace_;             // of the last step, where a device is asked for
  std::set<std::string> ran_on_;  // devices other than that one
  int64_t compared_elsewhere_ = 0;
  Judge judge_ = Judge::kExact;
  MagnitudeBias bias_;
  std::set<std::string> drawn_;
  OpResult result_;
};

}  // namespace plumb::conformance
