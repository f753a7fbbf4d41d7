// Every op of the catalogue on every type that it allows, with inputs drawn from its row: a backend against the
// reference.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "conformance/compare/verdict.h"
#include "conformance/golden/judge.h"
#include "conformance/report/result.h"
#include "spec/ops/op_def.h"

namespace plumb::conformance {

struct OpsOptions {
  std::string filter;  // of "Op/type", with * and ?; empty: all
  uint64_t seed = 1;
  int rounds = 0;  // seeds per op and type; 0: Backend::rounds
  // How long a process may say nothing: one choice of types takes no longer.
  std::chrono::milliseconds silence = std::chrono::seconds(120);
  int jobs = 1;             // ops judged at once
  bool is_quick = false;    // one choice of types of each op, no long inputs and no large ones
  bool has_fences = false;  // around the memory of tensors (spec/core/fences.h)
};

int RoundsOf(const OpsOptions& options, const Backend& backend);

// One op on one type.
struct OpResult {
  std::string op;
  std::string type;  // of the attribute that was varied: "T=float32"; empty when the op has no type to vary
  Outcome outcome = Outcome::kPassed;
  std::string gate;  // that failed; of a passed one: the judge, the boldest of those that were needed
  std::string detail;
  int cases = 0;
  int64_t compared = 0;                   // elements of values, over all cases
  int64_t sharp = 0;                      // those among them that the sharp limit of sums judged
  double worst = 0;                       // largest error over bound
  double bias = 0;                        // statistic of the signed errors, for sums
  int64_t statuses = 0;                   // cases that both sides refused with the same code
  std::vector<std::string> drawn = {};    // values of attributes that ran: "use_locking=true" (attributes.h)
  std::string reproduce = {};             // of a failure: the command that shows it again
  std::vector<std::string> choices = {};  // sides of choice points that were taken: "fold of a line: …: large"
  std::vector<std::string> refused = {};  // values of attributes that both sides refused with the same code, always
  int elsewhere = 0;                      // cases that did not run on Backend::device; nothing of them is in `compared`
  double seconds = 0;                     // of the trial, and of answers of the reference that it needed first
};

// Judges each op in a process of its own, so that a crash is that op's failure. An op without a sample row, or without
// a kernel for the type on either side, is unsupported, unless it is declared that the backend takes the type
// (variants.h); one of which nothing could be compared has failed. Where the backend names a device, one that passed
// without a value from there is elsewhere. A backend that cannot be opened gives one result, or throws why (opening.h).
std::vector<OpResult> RunOps(const Backend& backend, const OpsOptions& options,
                             const std::function<void(const OpResult&)>& on_result);

// The same of several backends, which are held against the same answers of the reference (answers.h): the results of
// each, in the order of the backends. `on_result` gets those of an op backend by backend, and the ops in the order of
// the catalogue. The caller has one thread.
std::vector<std::vector<OpResult>> RunOpsOnEach(const std::vector<Backend>& backends, const OpsOptions& options,
                                                const std::function<void(const Backend&, const OpResult&)>& on_result);

// The ops of which some type passed, and those that did elsewhere only.
Coverage OpsPassed(const std::vector<OpResult>& results);

// The values of attributes that the grammar of the rows allows ("Conv2D data_format=NCHW"): which of them some result
// drew, and which were only ever refused by both sides with the same code; of the ops that could be tried where they
// were to be.
Coverage AttributesDrawn(const std::vector<OpResult>& results);

// The sides of the choice points that any result came to: which were taken, and which others there are. Choices are
// known to this process only, so a backend from elsewhere has none. What ran elsewhere took none.
Coverage ChoicesTaken(const std::vector<OpResult>& results);

// As the report has it.
CaseResult ToCase(const OpResult& result, const Backend& backend);

}  // namespace plumb::conformance
