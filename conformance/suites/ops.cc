#include "conformance/suites/ops.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/compare/bias.h"
#include "conformance/compare/elements.h"
#include "conformance/process/forked.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

// One choice of types: "Tparams=float32 Tindices=int32".
struct Variant {
  std::string name;
  AttrMap types;
};

std::vector<DType> AllowedTypes(const AttrDef& attr) {
  if (!attr.allowed_types.empty()) return attr.allowed_types;
  std::vector<DType> types;
#define PLUMB_ADD(name, type) types.push_back(DType::name);
  PLUMB_FOR_EACH_NUMBER_TYPE(PLUMB_ADD)
#undef PLUMB_ADD
  types.push_back(DType::kString);
  return types;
}

// Every combination with each of the attribute's types.
std::vector<Variant> Combined(const std::vector<Variant>& variants, const AttrDef& attr) {
  std::vector<Variant> combined;
  for (const Variant& variant : variants) {
    for (const DType type : AllowedTypes(attr)) {
      combined.push_back(variant);
      combined.back().name += Str(variant.name.empty() ? "" : " ", attr.name, "=", DTypeName(type));
      combined.back().types.insert_or_assign(attr.name, type);
    }
  }
  return combined;
}

// All combinations of the types that have no default; then each of the others in turn, beside the first combination.
std::vector<Variant> VariantsOf(const OpDef& op) {
  std::vector<Variant> variants = {{}};
  const auto for_each_type = [&](bool with_default, const auto& visit) {
    for (const AttrDef& attr : op.attrs) {
      if (attr.kind == AttrKind::kType && !attr.is_list && attr.default_value.has_value() == with_default) visit(attr);
    }
  };
  for_each_type(false, [&](const AttrDef& attr) { variants = Combined(variants, attr); });
  const std::vector<Variant> first = {variants.front()};
  for_each_type(true, [&](const AttrDef& attr) {
    for (Variant& variant : Combined(first, attr)) variants.push_back(std::move(variant));
  });
  return variants;
}

// Whether a step failed because nobody wrote a kernel for these types (rule A7, in its own words).
bool LacksKernel(const Status& status) {
  return !status.ok() && status.message().find("registered") != std::string::npos;
}

// Numbers of which every partial sum of products is representable, so that all orders give the same bits.
constexpr double kLatticeSize = 8;

bool OnLattice(const Tensor& tensor) {
  const std::vector<double> numbers = ToDoubles(tensor);
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::trunc(x); });
}

Tensor SnappedToLattice(const Tensor& tensor) {
  const auto snap = [&]<class T>(T) {
    Tensor snapped = tensor.Clone();
    for (T& x : snapped.mutable_data<T>()) x = std::trunc(std::clamp<T>(x, -kLatticeSize, kLatticeSize));
    return snapped;
  };
  if (tensor.dtype() == DType::kFloat) return snap(float());
  if (tensor.dtype() == DType::kDouble) return snap(double());
  return tensor;
}

// Judges one op on one type.
class Trial {
 public:
  Trial(const OpDef& op, const Variant& variant, const Backend& backend)
      : op_(op), variant_(variant), backend_(backend) {
    result_.op = op.name;
    result_.type = variant.name;
  }

  OpResult Judged(uint64_t seed, int rounds) {
    for (int round = 0; round < rounds && ok(); ++round) {
      for (const SampledCase& sampled : SampleInputs(op_, variant_.types, seed + static_cast<uint64_t>(round))) {
        if (ok()) Try(sampled);
        if (ok() && IsSum()) TryLattice(sampled);
      }
    }
    if (HasFormula()) TryLong(seed);
    result_.bias = bias_.Statistic();
    if (ok() && result_.cases == 0) Unsupported("no sample for these types");
    if (ok() && result_.compared == 0) Fail(Gate::kNone, "vacuous: nothing was compared");
    if (ok() && bias_.IsBiased()) Fail(Gate::kBound, Str("the errors are biased: ", result_.bias, " deviations"));
    if (ok()) result_.gate = JudgeName(judge_);
    return std::move(result_);
  }

 private:
  bool ok() const { return result_.outcome == Outcome::kPassed; }
  bool IsSum() const { return op_.accuracy.kind == AccuracyClass::kSummation; }
  bool HasFormula() const { return IsSum() || op_.accuracy.kind == AccuracyClass::kComposed; }

  // Long sums of high-entropy data: the sharp limit judges them (rule N16).
  void TryLong(uint64_t seed) {
    for (const SampledCase& sampled : SampleLongInputs(op_, variant_.types, seed)) {
      if (ok()) Try(sampled);
      if (ok() && IsSum()) TryLattice(sampled);
    }
  }

  // The same on lattice data, where sums have no error in any order (conformance §3).
  void TryLattice(SampledCase sampled) {
    for (Tensor& input : sampled.inputs) {
      input = SnappedToLattice(input);
      if (IsFloating(input.dtype()) && !OnLattice(input)) return;  // NaN, or of a narrow type
    }
    sampled.label += ", on the lattice";
    lattice_ = true;
    Try(sampled);
    lattice_ = false;
  }

  void Try(const SampledCase& sampled) {
    ++result_.cases;
    label_ = sampled.label;
    const SingleNode single = MakeSingleNode(op_, sampled);
    Oracle oracle(single.graph, Limits::kSharp);
    const auto session = backend_.open();
    const Status loaded = session->Extend(single.graph);
    if (!SameCode(loaded, oracle.loaded()) || !loaded.ok()) return;
    if (!single.initialize.targets.empty() && !RunStep(single.initialize, *session, oracle, Gate::kStatus)) return;
    if (!RunStep(single.run, *session, oracle, Gate::kBound)) return;
    if (ok() && !single.inspect.fetches.empty()) RunStep(single.inspect, *session, oracle, Gate::kEffect);
  }

  // Whether the step gave values on both sides; a disagreement fails the trial.
  bool RunStep(const StepRequest& step, Session& session, Oracle& oracle, Gate gate) {
    std::vector<reference::Value> allowed;
    const Status expected = oracle.Run(step, &allowed);
    std::vector<Tensor> outputs;
    const Status actual = session.Run(step.feeds, step.fetches, step.targets, &outputs);
    if (!SameCode(actual, expected) || !actual.ok()) return false;
    if (step.fetches.empty() && gate == Gate::kBound) ++result_.compared;  // an op without outputs: that it ran
    for (size_t i = 0; i < outputs.size() && ok(); ++i) CompareOutput(step, i, outputs[i], allowed[i], oracle, gate);
    return true;
  }

  void CompareOutput(const StepRequest& step, size_t i, const Tensor& actual, const reference::Value& allowed,
                     Oracle& oracle, Gate gate) {
    const bool opaque = actual.dtype() == DType::kResource || actual.dtype() == DType::kVariant;
    const bool exact = lattice_ && IsFloating(actual.dtype()) && OnLattice(allowed.tensor);
    const Verdict verdict = opaque  ? CompareType(actual, allowed.tensor)
                            : exact ? Compare(actual, allowed.tensor, {}, {}, {"actual", "reference"})
                                    : Compare(actual, allowed, oracle.Sampler(i), {}, {"actual", "reference"});
    result_.compared += opaque ? actual.elements() : verdict.compared;
    if (verdict.judge == Judge::kSharp) result_.sharp += verdict.compared;
    judge_ = std::max(judge_, verdict.judge);
    result_.worst = std::max(result_.worst, verdict.worst);
    if (IsSum() && !lattice_ && AreIndependent(step, actual)) bias_.Add(actual, allowed);
    if (!verdict.ok()) Fail(gate == Gate::kEffect ? gate : verdict.failed, step.fetches[i] + ": " + verdict.detail);
  }

  // Whether results have errors of their own. Long running sums have not: neighbours share nearly all of their terms.
  static bool AreIndependent(const StepRequest& step, const Tensor& results) {
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

  bool SameCode(const Status& actual, const Status& expected) {
    for (const Status* status : {&actual, &expected}) {
      if (!LacksKernel(*status)) continue;
      Unsupported((status == &actual ? backend_.name : "reference") + ": " + status->message());
      return false;
    }
    if (actual.code() == expected.code()) return true;
    Fail(Gate::kStatus, Str("actual ", actual.ToString(), ", reference ", expected.ToString()));
    return false;
  }

  void Fail(Gate gate, const std::string& detail) {
    result_.outcome = Outcome::kFailed;
    result_.gate = GateName(gate);
    result_.detail = label_ + ": " + detail;
  }
  void Unsupported(const std::string& detail) {
    result_.outcome = Outcome::kUnsupported;
    result_.detail = detail;
  }

  const OpDef& op_;
  const Variant& variant_;
  const Backend& backend_;
  std::string label_;
  bool lattice_ = false;
  Judge judge_ = Judge::kExact;
  MagnitudeBias bias_;
  OpResult result_;
};

Json ToJson(const OpResult& result) {
  return {result.op,       result.type,   static_cast<int>(result.outcome),
          result.gate,     result.detail, result.cases,
          result.compared, result.sharp,  result.worst,
          result.bias};
}

OpResult FromJson(const Json& json) {
  return {json[0], json[1], Outcome(json[2].get<int>()), json[3], json[4], json[5], json[6], json[7], json[8], json[9]};
}

std::vector<Variant> Chosen(const OpDef& op, const std::string& filter) {
  std::vector<Variant> chosen;
  for (Variant& variant : VariantsOf(op)) {
    const std::string name = op.name + "/" + variant.name;
    if (filter.empty() || fnmatch(filter.c_str(), name.c_str(), 0) == 0 ||
        fnmatch(filter.c_str(), op.name.c_str(), 0) == 0) {
      chosen.push_back(std::move(variant));
    }
  }
  return chosen;
}

// What to say of an op without trying it; nothing when it can be tried.
std::optional<std::string> WhyNot(const OpDef& op, const Backend& backend) {
  if (!CanSample(op)) return "its row gives no sample";
  if (!FindBackend("reference").implements(op.name)) return "no kernel on the reference";
  if (!backend.implements(op.name)) return "no kernel on " + backend.name;
  return std::nullopt;
}

std::vector<OpResult> JudgeOp(const OpDef& op, const std::vector<Variant>& variants, const OpsOptions& options,
                              const Backend& backend) {
  if (const auto why = WhyNot(op, backend)) return {{op.name, "", Outcome::kUnsupported, "", *why}};
  // Each answer is a line, so that a crash leaves those before it.
  const ForkedResult forked = RunForked([&](const Answer& answer) {
    for (const Variant& variant : variants) {
      const OpResult result = Trial(op, variant, backend).Judged(options.seed, options.rounds);
      answer(ToJson(result).dump(-1, ' ', false, Json::error_handler_t::replace));
    }
  });
  std::vector<OpResult> results;
  for (const std::string& line : forked.answers) results.push_back(FromJson(Json::parse(line)));
  if (!forked.failure.empty()) {
    const std::string type = results.size() < variants.size() ? variants[results.size()].name : "";
    results.push_back({op.name, type, Outcome::kFailed, std::string(GateName(Gate::kStatus)), forked.failure});
  }
  return results;
}

}  // namespace

std::vector<OpResult> RunOps(const Backend& backend, const OpsOptions& options,
                             const std::function<void(const OpResult&)>& on_result) {
  std::vector<OpResult> all;
  for (const OpDef* op : AllOps()) {
    const std::vector<Variant> variants = Chosen(*op, options.filter);
    if (variants.empty()) continue;
    for (OpResult& result : JudgeOp(*op, variants, options, backend)) {
      on_result(result);
      all.push_back(std::move(result));
    }
  }
  return all;
}

}  // namespace plumb::conformance
