#include "conformance/suites/trial.h"

#include <algorithm>
#include <utility>

#include "conformance/compare/equivalence.h"
#include "conformance/suites/lattice.h"
#include "conformance/suites/where_it_ran.h"
#include "spec/core/choice_point.h"
#include "spec/core/device_name.h"
#include "spec/graph/proto_io.h"
#include "spec/samples/sample.h"
#include "spec/session/hand_over.h"

namespace plumb::conformance {
namespace {

// How many seeds a value of an attribute is tried with before it counts as not drawn.
constexpr int kAttempts = 8;

// Whether results have errors of their own. Long running sums have not: neighbours share nearly all of their terms.
bool AreIndependent(const StepRequest& step, const Tensor& results) {
  constexpr int64_t kShort = 256;
  int64_t longest = 0;
  for (const Feed& feed : step.feeds) {
    for (const int64_t dim : feed.second.shape().dims()) longest = std::max(longest, dim);
  }
  for (const int64_t dim : results.shape().dims()) {
    if (dim == longest) return longest < kShort;
  }
  return true;
}

bool IsMissingKernel(const Status& status) { return status.reason() == Reason::kNoKernel; }
// Of an op, or of an op for these types (NoKernel in spec/core/status.h).
bool IsCodeOfMissingKernels(Code code) { return code == Code::kNotFound || code == Code::kInvalidArgument; }

}  // namespace

Trial::Trial(const OpDef& op, const Variant& variant, const Backend& backend, const OpsOptions& options,
             const std::string& folder, Known* known, TriedTogether* together)
    : op_(op),
      variant_(variant),
      backend_(backend),
      options_(options),
      folders_(folder),
      known_(known),
      together_(together),
      seed_(options.seed) {
  result_.op = op.name;
  result_.type = variant.name;
  Choices::Forget();
}

OpResult Trial::Judged() {
  TryRounds();
  if (ok() && result_.cases > 0) TryAttributes();
  if (ok() && IsThere() && result_.cases > 0) TryEmpty();
  if (ok() && IsThere() && HasFormula() && !options_.is_quick) TryLong();
  if (ok() && IsThere() && result_.cases > 0 && !options_.is_quick) TryLarge();
  if (ok() && IsThere() && result_.cases > 0 && !options_.is_quick) TryOneSided();
  result_.bias = bias_.Statistic();
  if (ok() && result_.cases == 0) Unsupported("no sample for these types");
  if (ok() && result_.compared + compared_elsewhere_ == 0) Fail(Gate::kNone, "vacuous: nothing was compared");
  if (ok() && bias_.IsBiased()) {
    Fail(Gate::kBound, Str("the errors are biased: ", result_.bias, " deviations"));
    result_.reproduce = Reproduce(options_.seed, RoundsOf(options_, backend_));
  }
  if (ok()) result_.gate = JudgeName(judge_);
  result_.drawn.assign(drawn_.begin(), drawn_.end());
  for (const Choices::Choice& choice : Choices::Taken()) {
    if (choice.small) result_.choices.push_back(choice.name + ": small");
    if (choice.large) result_.choices.push_back(choice.name + ": large");
  }
  if (ok() && result_.elsewhere > 0 && result_.compared == 0) Elsewhere();
  return std::move(result_);
}

void Trial::TryRounds() {
  for (int round = 0; round < RoundsOf(options_, backend_); ++round) {
    seed_ = options_.seed + static_cast<uint64_t>(round);
    const auto drawn = together_->cases.Small(seed_);
    for (const SampledCase& sampled : *drawn) {
      if (ok()) TryAlsoOnLattice(sampled);
    }
  }
  seed_ = options_.seed;
}

void Trial::TryAttributes() {
  varied_ = true;
  for (const AttrDraw& draw : DrawsFor(op_)) TryAttribute(draw);
  varied_ = false;
}

void Trial::TryAttribute(const AttrDraw& draw) {
  const auto is_over = [&] { return !ok() || drawn_.contains(draw.name) || known_->undrawable.contains(draw.name); };
  const int64_t refused = result_.statuses;
  for (uint64_t attempt = 0; attempt < kAttempts && !is_over(); ++attempt) {
    const auto drawn = together_->cases.Small(options_.seed + attempt);
    for (const SampledCase& sampled : *drawn) {
      if (!is_over() && Draws(draw, sampled.attrs)) TryAlsoOnLattice(sampled);
      for (const AttrMap& attrs : draw.candidates) {
        if (!is_over()) TryAlsoOnLattice(WithAttributes(op_, sampled, attrs));
      }
    }
  }
  if (is_over()) return;
  known_->undrawable.insert(draw.name);
  if (result_.statuses > refused) result_.refused.push_back(draw.name);
}

void Trial::TryEmpty() {
  if (std::exchange(known_->is_emptied, true)) return;
  const auto drawn = together_->cases.Empty(options_.seed);
  for (const SampledCase& sampled : *drawn) {
    if (ok()) Try(sampled);
  }
}

void Trial::TryLong() {
  const auto drawn = together_->cases.Long(options_.seed);
  for (const SampledCase& sampled : *drawn) {
    if (ok()) TryAlsoOnLattice(sampled);
  }
}

void Trial::TryAlsoOnLattice(const SampledCase& sampled) {
  Try(sampled);
  if (ok() && IsSum()) TryOnLattice(sampled);
}

bool Trial::TryOnLattice(SampledCase sampled) {
  for (Tensor& input : sampled.inputs) {
    input = SnappedToLattice(input);
    if (IsFloating(input.dtype()) && !OnLattice(input)) return false;  // NaN, or of a narrow type
  }
  sampled.label += ", on the lattice";
  lattice_ = true;
  const bool compared = Try(sampled);
  lattice_ = false;
  return compared;
}

bool Trial::Try(const SampledCase& sampled) {
  ++result_.cases;
  label_ = sampled.label;
  if (varied_) {
    for (const AttrDraw& draw : DrawsFor(op_)) {
      if (draw.what != AttrDraw::kAny && Draws(draw, sampled.attrs)) label_ += ", " + draw.name;
    }
  }
  const std::shared_ptr<Answers> answers = together_->answers.Of(MakeSingleNode(op_, sampled));
  const SingleNode& single = answers->single();
  graph_ = &single.graph;
  folders_.Empty();
  Load(single, !op_.is_stateful && sampled.StandsAlone() && single.initialize.targets.empty());
  if (!SameCode(loaded_, answers->loaded()) || !loaded_.ok()) return false;
  size_t number = 0;
  if (!single.initialize.targets.empty() && !RunStep(single.initialize, *answers, number++, Gate::kStatus)) {
    return false;
  }
  const int64_t compared = result_.compared;
  const bool ran = RunStep(single.run, *answers, number++, Gate::kBound);
  const bool ran_there = ran && RanThere(trace_);
  // What the step leaves, also one that fails.
  if (ok() && !single.inspect.fetches.empty()) RunStep(single.inspect, *answers, number, Gate::kEffect);
  if (!ran) return false;
  for (std::string& draw : DrawnBy(op_, sampled.attrs)) drawn_.insert(std::move(draw));
  if (ok() && single.inspect.fetches.empty() && op_.is_stateful) RunAgain(single.run, *answers, number);
  if (!ran_there) {
    ++result_.elsewhere;
    compared_elsewhere_ += result_.compared - compared;
    result_.compared = compared;
  }
  return true;
}

void Trial::Load(const SingleNode& single, bool leaves_nothing) {
  std::string graph = leaves_nothing ? SerializeGraphDef(single.graph) : std::string();
  if (leaves_nothing && graph == loaded_graph_) return;
  loaded_graph_ = std::move(graph);
  session_ = backend_.open();
  loaded_ = session_->Extend(single.graph);
}

bool Trial::RanThere(const RunMetadata& trace) {
  if (backend_.device.empty()) return true;
  const DeviceName wanted = DeviceName::Parse(backend_.device);
  const std::vector<std::string> devices = DevicesOf(kTried, trace);
  bool is_there = !devices.empty();
  for (const std::string& device : devices) {
    if (wanted.Describes(DeviceName::Parse(device))) continue;
    ran_on_.insert(device);
    is_there = false;
  }
  return is_there;
}

bool Trial::RunStep(const StepRequest& step, Answers& answers, size_t number, Gate gate) {
  folders_.EnterReference();
  const reference::StepOutcome& expected = answers.To(number, step);
  if (!EndsInTime("the reference", expected.status)) return false;
  std::vector<Tensor> outputs;
  const RunOptions limit = {.timeout_ms = options_.silence.count() / 2, .trace = !backend_.device.empty()};
  trace_ = {};
  folders_.EnterBackend();
  const Status actual =
      session_->Run(limit, step.feeds, step.fetches, step.targets, &outputs, limit.trace ? &trace_ : nullptr);
  folders_.EnterReference();  // what it is asked about its bounds it computes again
  if (!EndsInTime(backend_.name, actual)) return false;
  if (!SameCode(actual, expected.status) || !actual.ok()) return false;
  const std::vector<reference::Value>& allowed = expected.values;
  if (outputs.size() != allowed.size()) {
    Fail(Gate::kType, Str(outputs.size(), " values for ", allowed.size(), " fetches"));
    return false;
  }
  if (step.fetches.empty() && gate == Gate::kBound) ++result_.compared;  // an op without outputs: that it ran
  Alignment alignment(*graph_);
  for (size_t i = 0; i < outputs.size() && ok(); ++i) {
    const Tensor aligned = alignment.Aligned(step.fetches[i], outputs[i], allowed[i].tensor);
    const reference::Value settled = Settled(allowed[i], EquivalenceOf(*graph_, step.fetches[i]));
    CompareOutput(step, i, aligned, settled, answers.Sampler(number, i), gate);
  }
  return true;
}

// A second step meets what the first one left where nothing else shows it. It may wait for ever, as for room in a
// queue.
void Trial::RunAgain(const StepRequest& step, Answers& answers, size_t number) {
  folders_.EnterReference();
  if (answers.To(number, step).status.code() == Code::kDeadlineExceeded) return;
  TakeUp();
  RunStep(step, answers, number, Gate::kBound);
}

// S10: the second step may as well be that of a session which took up what the first one left, also by way of a third,
// in which nothing ran.
void Trial::TakeUp() {
  for (int time = 0; time < 2; ++time) {
    if (dynamic_cast<SavedSession*>(session_.get()) == nullptr) return;
    folders_.EnterBackend();
    auto next = backend_.open();
    Status status = next->Extend(*graph_);
    if (status.ok()) status = HandOver(*session_, *next);
    folders_.EnterReference();
    if (!status.ok()) return Fail(Gate::kStatus, "taken up by another session: " + status.ToString());
    session_ = std::move(next);
  }
}

void Trial::CompareOutput(const StepRequest& step, size_t i, const Tensor& actual, const reference::Value& allowed,
                          const Samples& samples, Gate gate) {
  const bool opaque = actual.dtype() == DType::kResource || actual.dtype() == DType::kVariant;
  const bool exact = lattice_ && IsFloating(actual.dtype()) && OnLattice(allowed.tensor);
  // Bit for bit means the sign of a zero too. What a step leaves in variables shows the order of its updates.
  const bool has_signs = op_.accuracy.For(actual.dtype()).kind == AccuracyClass::kExact && gate != Gate::kEffect &&
                         EquivalenceOf(*graph_, step.fetches[i]) != Equivalence::kEitherZero;
  const Profile profile = {.signed_zeros = has_signs};
  const Verdict verdict = opaque  ? CompareType(actual, allowed.tensor)
                          : exact ? Compare(actual, allowed.tensor, {}, {}, {"actual", "reference"})
                                  : Compare(actual, allowed, samples, profile, {"actual", "reference"});
  if (!opaque) result_.compared += verdict.compared;  // of a handle or an object only the type is seen here
  if (verdict.judge == Judge::kSharp) result_.sharp += verdict.compared;
  judge_ = std::max(judge_, verdict.judge);
  result_.worst = std::max(result_.worst, verdict.worst);
  if (IsSum() && !lattice_ && AreIndependent(step, actual)) bias_.Add(actual, allowed);
  if (!verdict.ok()) Fail(gate == Gate::kEffect ? gate : verdict.failed, step.fetches[i] + ": " + verdict.detail);
}

bool Trial::EndsInTime(const std::string& side, const Status& status) {
  if (status.code() != Code::kDeadlineExceeded) return true;
  Fail(Gate::kCrash,
       Str("on ", side, " the step of ", op_.name, ", drawn with seed ", seed_, ", does not end: ", status.message()));
  return false;
}

bool Trial::SameCode(const Status& actual, const Status& expected) {
  const bool backend_lacks = IsMissingKernel(actual), reference_lacks = IsMissingKernel(expected);
  const bool is_library = backend_.declares != nullptr;
  if (!varied_ && (backend_lacks || (reference_lacks && (!actual.ok() || is_library)))) {
    Refused(backend_lacks ? backend_ : FindBackend("reference"), backend_lacks ? actual : expected);
    return false;
  }
  const bool both_refuse = !actual.ok() && !expected.ok();
  // A library says with a code of its choice that it has no kernel.
  const bool alike =
      actual.code() == expected.code() || (both_refuse && backend_lacks && (reference_lacks || is_library));
  if (alike) {
    if (!actual.ok()) ++result_.statuses;
    return true;
  }
  // What the reference has no kernel for, there is nothing to hold a library against.
  if (reference_lacks && actual.ok() && is_library) return false;
  const std::string lacking = backend_lacks ? backend_.name : reference_lacks ? "reference" : "";
  const char* const before = varied_ ? " has no kernel for it, of types that it took: " : " has no kernel for it: ";
  const std::string why = lacking.empty() ? "" : lacking + before;
  Fail(Gate::kStatus, Str(why, "actual ", actual.ToString(), ", reference ", expected.ToString()));
  return false;
}

void Trial::Refused(const Backend& side, const Status& status) {
  if (IsDeclared(op_, variant_.types, side)) {
    const char* const who = side.declares ? "it" : "the op's row";
    return Fail(Gate::kStatus, Str(side.name, " refuses types that ", who, " declares: ", status.ToString()));
  }
  // A library says so with a code of its choice.
  if (side.declares == nullptr && !IsCodeOfMissingKernels(status.code())) {
    return Fail(Gate::kStatus, Str(side.name, " has no kernel, and says so with another code: ", status.ToString()));
  }
  Unsupported(side.name + ": " + status.message());
}

void Trial::Fail(Gate gate, const std::string& detail) {
  result_.outcome = Outcome::kFailed;
  result_.gate = GateName(gate);
  result_.detail = label_ + ": " + detail;
  result_.reproduce = Reproduce(seed_, 1);
}

void Trial::Elsewhere() {
  std::string devices;
  for (const std::string& device : ran_on_) devices += Str(devices.empty() ? "" : ", ", device);
  result_.outcome = Outcome::kElsewhere;
  result_.gate.clear();
  result_.detail = devices.empty() ? "no trace shows it on " + backend_.device : "it ran on " + devices;
}

void Trial::Unsupported(const std::string& detail) {
  result_.outcome = Outcome::kUnsupported;
  result_.detail = detail;
}

std::string Trial::Reproduce(uint64_t seed, int rounds) const {
  return OpsCommand(backend_, op_, variant_, seed, rounds);
}

}  // namespace plumb::conformance
