#include "conformance/suites/ops.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "backends/fences.h"
#include "conformance/golden/opening.h"
#include "conformance/process/forked.h"
#include "conformance/process/shared_work.h"
#include "conformance/suites/attributes.h"
#include "conformance/suites/trial.h"
#include "spec/files/temporary_folder.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kLargeSide = ": large";

// All that there is of a result, in the order in which a line has it.
template <class Result>
auto Fields(Result& r) {
  return std::tie(r.op, r.type, r.outcome, r.gate, r.detail, r.cases, r.compared, r.sharp, r.worst, r.bias, r.statuses,
                  r.drawn, r.reproduce, r.choices, r.refused, r.elsewhere, r.seconds);
}
template <class... T>
std::tuple<T...> ValuesOf(const std::tuple<T&...>& fields) {
  return fields;
}

std::string Line(const OpResult& result) {
  return Json(Fields(result)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

OpResult FromJson(const Json& json) {
  OpResult result;
  Fields(result) = json.get<decltype(ValuesOf(Fields(result)))>();
  return result;
}

// What is said of an op without trying it; nothing when it can be tried. A missing kernel is a failure where any of the
// variants is declared.
std::optional<OpResult> Untried(const OpDef& op, const std::vector<Variant>& variants, const Backend& backend) {
  if (!CanSample(op)) return OpResult{op.name, "", Outcome::kUnsupported, "", "its row gives no sample"};
  for (const Backend& side : {FindBackend("reference"), backend}) {
    if (side.implements(op.name)) continue;
    const bool declared = std::any_of(variants.begin(), variants.end(),
                                      [&](const Variant& variant) { return IsDeclared(op, variant.types, side); });
    const std::string why = "no kernel on " + side.name;
    if (!declared) return OpResult{op.name, "", Outcome::kUnsupported, "", why};
    return OpResult{op.name, "", Outcome::kFailed, std::string(GateName(Gate::kStatus)), why};
  }
  return std::nullopt;
}

// Whether the backend declares the variant. A library is asked in a process of its own, where a crash is its own, too,
// and no excuse.
bool MustTake(const OpDef& op, const Variant& variant, const Backend& backend, const OpsOptions& options) {
  if (!backend.declares) return IsDeclared(op, variant.types, backend);
  const ForkedResult asked = RunForked(
      [&](const Answer& answer) {
        if (!IsDeclared(op, variant.types, backend)) answer("not declared");
      },
      options.silence);
  return asked.answers.empty();
}

// The result of a variant that never came, since its process ended before.
OpResult Unanswered(const OpDef& op, const Variant& variant, const ForkedResult& forked, const OpsOptions& options,
                    const Backend& backend) {
  const Gate gate = forked.thrown.ok() ? Gate::kCrash : Gate::kStatus;
  OpResult result{op.name, variant.name, Outcome::kFailed, std::string(GateName(gate)), forked.failure};
  if (forked.thrown.reason() == Reason::kNoKernel && !MustTake(op, variant, backend, options)) {
    result.outcome = Outcome::kUnsupported;
  } else {
    result.reproduce = OpsCommand(backend, op, variant, options.seed, RoundsOf(options, backend));
  }
  return result;
}

OpResult Timed(Trial& trial) {
  const auto begin = std::chrono::steady_clock::now();
  OpResult result = trial.Judged();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

// One op on all backends. Each answer is a line, so that a crash leaves those before it; the next process goes on
// behind it.
class OpJudge {
 public:
  OpJudge(const OpDef& op, const std::vector<Variant>& variants, const std::vector<Backend>& backends,
          const OpsOptions& options, const std::string& folder, const std::vector<std::set<std::string>>& large)
      : op_(op),
        variants_(variants),
        backends_(backends),
        options_(options),
        folder_(folder),
        large_(large),
        results_(backends.size()),
        is_untried_(backends.size(), false) {}

  // By backend.
  std::vector<std::vector<OpResult>> Judged() {
    while (const auto next = Next()) {
      const ForkedResult forked = RunForked([&](const Answer& answer) { Work(answer); }, options_.silence);
      for (const std::string& line : forked.answers) Take(Json::parse(line));
      if (forked.failure.empty()) break;
      const Job failed = Next().value_or(Job{variants_.size() - 1, backends_.size() - 1});
      results_[failed.backend].push_back(
          Unanswered(op_, variants_[failed.variant], forked, options_, backends_[failed.backend]));
    }
    return std::move(results_);
  }

 private:
  struct Job {
    size_t variant, backend;
  };

  // The first choice of types that has no result yet, on the first backend that owes one.
  std::optional<Job> Next() const {
    std::optional<Job> next;
    for (size_t b = 0; b < backends_.size(); ++b) {
      const size_t variant = results_[b].size();
      const bool is_owed = !is_untried_[b] && variant < variants_.size();
      if (is_owed && (!next || variant < next->variant)) next = Job{variant, b};
    }
    return next;
  }

  // In a process of its own.
  void Work(const Answer& answer) {
    if (options_.has_fences) PutUpFences();
    // A library is loaded while its path, which may be relative, still leads to it.
    for (const Backend& backend : backends_) backend.implements(op_.name);
    for (size_t b = 0; b < backends_.size(); ++b) {
      if (!results_[b].empty()) continue;
      const auto untried = Untried(op_, variants_, backends_[b]);
      if (!untried) continue;
      is_untried_[b] = true;
      answer(Json{b, true, Line(*untried)}.dump());
    }
    std::vector<Known> known(backends_.size());
    for (size_t b = 0; b < backends_.size(); ++b) known[b].large = large_[b];
    for (size_t v = 0; v < variants_.size(); ++v) {
      TriedTogether together{DrawnCases(op_, variants_[v].types), KnownAnswers(backends_.size())};
      for (size_t b = 0; b < backends_.size(); ++b) {
        if (is_untried_[b] || v < results_[b].size()) continue;
        if (backends_[b].has_on_device && !backends_[b].has_on_device(op_.name, variants_[v].types)) {
          answer(Json{b, false, Line(OpResult{op_.name, variants_[v].name, Outcome::kElsewhere, {}, {}})}.dump());
          continue;
        }
        Trial trial(op_, variants_[v], backends_[b], options_, folder_, &known[b], &together);
        answer(Json{b, false, Line(Timed(trial))}.dump());
      }
    }
  }

  void Take(const Json& answer) {
    const size_t backend = answer[0];
    is_untried_[backend] = answer[1];
    results_[backend].push_back(FromJson(Json::parse(answer[2].get<std::string>())));
  }

  const OpDef& op_;
  const std::vector<Variant>& variants_;
  const std::vector<Backend>& backends_;
  const OpsOptions& options_;
  const std::string& folder_;
  const std::vector<std::set<std::string>>& large_;  // by backend: choice points whose large side an op has taken
  std::vector<std::vector<OpResult>> results_;       // by backend
  std::vector<bool> is_untried_;                     // by backend: its only result says why
};

// Whether something was tried where it was to be.
bool IsJudged(const OpResult& result) {
  return result.outcome != Outcome::kUnsupported && result.outcome != Outcome::kElsewhere;
}

std::set<std::string> SidesOf(const OpResult& result) {
  if (result.outcome == Outcome::kElsewhere) return {};
  return {result.choices.begin(), result.choices.end()};
}

std::vector<const OpDef*> ChosenOps(const std::string& filter) {
  std::vector<const OpDef*> chosen;
  for (const OpDef* op : AllOps()) {
    if (!ChosenVariants(*op, filter).empty()) chosen.push_back(op);
  }
  return chosen;
}

bool IsCommon(const Variant& variant) {
  return std::all_of(variant.types.begin(), variant.types.end(), [](const auto& attr) {
    const DType type = *attr.second.template Get<DType>();
    return type == DType::kFloat || type == DType::kInt32;
  });
}

// All choices of types, or where it is to be quick the first that the backends declare, float32 and int32 before
// others.
std::vector<Variant> VariantsToTry(const OpDef& op, const std::vector<Backend>& backends, const OpsOptions& options) {
  std::vector<Variant> all = ChosenVariants(op, options.filter);
  if (!options.is_quick) return all;
  std::vector<Variant> declared;
  for (const Variant& variant : all) {
    if (IsDeclared(op, variant.types, backends.front())) declared.push_back(variant);
  }
  if (declared.empty()) return all;
  const auto common = std::find_if(declared.begin(), declared.end(), IsCommon);
  return {common == declared.end() ? declared.front() : *common};
}

// One process's share of the ops. What a limit's large side is shown with by one op, it need not be by the next.
class OpsWorker : public PieceWorker {
 public:
  OpsWorker(const std::vector<const OpDef*>& ops, const std::vector<Backend>& backends, const OpsOptions& options)
      : ops_(ops), backends_(backends), options_(options), large_(backends.size()) {}

  // Each answer is a backend's number and a result.
  void Do(size_t piece, const Answer& answer) override {
    const OpDef& op = *ops_[piece];
    const std::vector<Variant> variants = VariantsToTry(op, backends_, options_);
    const auto results = OpJudge(op, variants, backends_, options_, folder_.path(), large_).Judged();
    for (size_t b = 0; b < backends_.size(); ++b) {
      for (const OpResult& result : results[b]) {
        answer(Json{b, Line(result)}.dump());
        for (const std::string& side : SidesOf(result)) {
          if (side.ends_with(kLargeSide)) large_[b].insert(side.substr(0, side.size() - kLargeSide.size()));
        }
      }
    }
  }

 private:
  const std::vector<const OpDef*>& ops_;
  const std::vector<Backend>& backends_;
  const OpsOptions& options_;
  std::vector<std::set<std::string>> large_;  // by backend: choice points whose large side an op has taken
  const TemporaryFolder folder_;
};

}  // namespace

int RoundsOf(const OpsOptions& options, const Backend& backend) {
  return options.rounds > 0 ? options.rounds : backend.rounds;
}

std::vector<std::vector<OpResult>> RunOpsOnEach(const std::vector<Backend>& backends, const OpsOptions& options,
                                                const std::function<void(const Backend&, const OpResult&)>& on_result) {
  std::vector<std::vector<OpResult>> all(backends.size());
  std::vector<Backend> open;
  std::vector<size_t> places;  // of the open ones
  for (size_t b = 0; b < backends.size(); ++b) {
    if (const auto failed = FailureToOpen(backends[b], options.silence)) {
      all[b].push_back({failed->name, "", failed->outcome, failed->gate, failed->detail});
      on_result(backends[b], all[b].front());
    } else {
      open.push_back(backends[b]);
      places.push_back(b);
    }
  }
  if (open.empty()) return all;
  const std::vector<const OpDef*> ops = ChosenOps(options.filter);
  ShareWork(
      ops.size(), options.jobs, [&] { return std::make_unique<OpsWorker>(ops, open, options); },
      [&](const std::string& line) {
        const Json answer = Json::parse(line);
        const size_t b = answer[0];
        all[places[b]].push_back(FromJson(Json::parse(answer[1].get<std::string>())));
        on_result(open[b], all[places[b]].back());
      });
  return all;
}

std::vector<OpResult> RunOps(const Backend& backend, const OpsOptions& options,
                             const std::function<void(const OpResult&)>& on_result) {
  return std::move(RunOpsOnEach({backend}, options, [&](const Backend&, const OpResult& r) { on_result(r); })[0]);
}

Coverage OpsPassed(const std::vector<OpResult>& results) {
  std::set<std::string> passed, elsewhere;
  for (const OpResult& result : results) {
    if (result.outcome == Outcome::kPassed) passed.insert(result.op);
    if (result.outcome == Outcome::kElsewhere) elsewhere.insert(result.op);
  }
  Coverage coverage;
  coverage.covered.assign(passed.begin(), passed.end());
  for (const std::string& op : elsewhere) {
    if (!passed.contains(op)) coverage.missing.push_back(op);
  }
  return coverage;
}

Coverage AttributesDrawn(const std::vector<OpResult>& results) {
  std::map<std::string, std::set<std::string>> drawn, refused;  // by op
  for (const OpResult& result : results) {
    if (!IsJudged(result)) continue;
    drawn[result.op].insert(result.drawn.begin(), result.drawn.end());
    refused[result.op].insert(result.refused.begin(), result.refused.end());
  }
  Coverage coverage;
  for (const auto& [op, of_op] : drawn) {
    const OpDef* const row = FindOp(op);
    if (row == nullptr) continue;  // the result of a backend that could not be opened
    for (const AttrDraw& draw : DrawsFor(*row)) {
      const bool is_refused = refused[op].contains(draw.name);
      auto& names = of_op.contains(draw.name) ? coverage.covered : is_refused ? coverage.refused : coverage.missing;
      names.push_back(op + " " + draw.name);
    }
  }
  return coverage;
}

Coverage ChoicesTaken(const std::vector<OpResult>& results) {
  std::set<std::string> taken;
  for (const OpResult& result : results) taken.merge(SidesOf(result));
  Coverage coverage;
  coverage.covered.assign(taken.begin(), taken.end());
  for (const std::string& side : taken) {
    const std::string point = side.substr(0, side.rfind(": "));
    const std::string other = point + (side.ends_with(kLargeSide) ? ": small" : ": large");
    if (!taken.contains(other)) coverage.missing.push_back(other);
  }
  return coverage;
}

CaseResult ToCase(const OpResult& result, const Backend& backend) {
  return {result.op + (result.type.empty() ? "" : "/" + result.type),
          backend.name,
          result.outcome,
          result.gate,
          result.detail,
          result.compared,
          result.reproduce,
          result.seconds};
}

}  // namespace plumb::conformance
