#include "property-tests/generators/handed_on.h"

#include <algorithm>

#include "property-tests/generators/rows.h"
#include "property-tests/generators/trials.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"
#include "spec/samples/case_sampler.h"

namespace plumb::property {
namespace {

constexpr uint64_t kDraws = 6;     // of each row's samples
constexpr size_t kMostNames = 16;  // of sizes in a sample

bool IsPayload(const SampledInput& input) {
  const Tensor* const tensor = std::get_if<Tensor>(&input);
  return tensor != nullptr && tensor->IsSet() && tensor->dtype() == DType::kFloat;
}

template <class Visit>
void ForEachPayload(const std::vector<SampledNode>& nodes, const Visit& visit) {
  for (const SampledNode& node : nodes) {
    for (const SampledInput& input : node.inputs) {
      if (IsPayload(input)) visit(std::get<Tensor>(input));
    }
  }
}

AttrMap Floats(const OpDef& op) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind == AttrKind::kType && !attr.is_list && Allows(op, attr, DType::kFloat)) {
      types.emplace(attr.name, DType::kFloat);
    }
  }
  return types;
}

bool MayBeDrawn(const SampledCase& sample) {
  const auto is_current = [](const SampledNode& node) { return IsCurrent(*node.op); };
  return sample.label.ends_with("ordinary values") && MostElements(sample) > 0 &&
         std::all_of(sample.before.begin(), sample.before.end(), is_current) &&
         std::all_of(sample.after.begin(), sample.after.end(), is_current);
}

// `count` sizes whose product is `volume`.
std::vector<int64_t> Factors(size_t count, int64_t volume, SampleRandom& random) {
  std::vector<int64_t> sizes(count, 1);
  for (int64_t prime = 2; volume > 1; ++prime) {
    for (; volume % prime == 0; volume /= prime) {
      sizes[static_cast<size_t>(random.Below(static_cast<int64_t>(count)))] *= prime;
    }
  }
  return sizes;
}

// Cases of one alternative whose largest value has so many elements: its sizes are these, or go with sizes that it
// fixes.
void AddCases(const OpDef& op, const SampleAlternative& alternative, int64_t elements,
              std::vector<SampledCase>* cases) {
  const AttrMap types = Floats(op);
  CaseSampler unit(op, alternative, Flavour::kOrdinary, kTrialSeed);
  unit.GiveSizes(std::vector<int64_t>(kMostNames, 1));
  const auto least = unit.Draw(types);
  if (!least || !MayBeDrawn(*least)) return;
  const int64_t fixed = MostElements(*least);
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    SampleRandom random(kTrialSeed + draw);
    CaseSampler sampler(op, alternative, Flavour::kOrdinary, random.Next());
    const bool is_multiple = draw % 2 == 0 && elements % fixed == 0;
    if (unit.names_drawn() > 0) {
      sampler.GiveSizes(Factors(unit.names_drawn(), is_multiple ? elements / fixed : elements, random));
    }
    auto drawn = sampler.Draw(types);
    if (drawn && MayBeDrawn(*drawn) && MostElements(*drawn) == elements) cases->push_back(std::move(*drawn));
  }
}

const std::vector<SampledCase>& CasesOf(const HandingRow& row, int64_t elements) {
  const auto [cases, is_new] = row.by_elements.try_emplace(elements);
  if (is_new) {
    for (const SampleAlternative& alternative : ParseSample(*row.op)) {
      AddCases(*row.op, alternative, elements, &cases->second);
    }
  }
  return cases->second;
}

template <class Wanted>
std::vector<HandingRow> FindRows(Trait trait, const Wanted& is_wanted) {
  std::vector<HandingRow> rows;
  for (const OpDef* op : AllOps()) {
    if (!Has(*op, trait) || !IsCurrent(*op)) continue;
    HandingRow row = {op, {}, {}};
    for (uint64_t draw = 0; draw < kDraws; ++draw) {
      for (SampledCase& sample : SampleInputs(*op, Floats(*op), kTrialSeed + draw)) {
        if (MayBeDrawn(sample)) row.cases.push_back(std::move(sample));
      }
    }
    if (!row.cases.empty() && is_wanted(row)) rows.push_back(std::move(row));
  }
  return rows;
}

bool KeepsWholeNumbers(const HandingRow& row) {
  return std::all_of(row.cases.begin(), row.cases.end(), [&](const SampledCase& sample) {
    std::vector<size_t> whole;
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      if (MayBeAny(sample, i)) whole.push_back(i);
    }
    return sample.StandsAlone() && GivesWholeNumbers(*row.op, sample, whole);
  });
}

}  // namespace

bool MayBeAny(const SampledCase& sample, size_t input) {
  const Tensor& tensor = sample.inputs[input];
  return tensor.IsSet() && tensor.dtype() == DType::kFloat && sample.freedoms[input] != Freedom::kThis;
}

int64_t MostElements(const SampledCase& sample) {
  int64_t most = 0;
  const auto count = [&](const Tensor& tensor) { most = std::max(most, tensor.elements()); };
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    if (MayBeAny(sample, i)) count(sample.inputs[i]);
  }
  ForEachPayload(sample.before, count);
  ForEachPayload(sample.after, count);
  return most;
}

std::span<const HandingRow> RowsThatHandOn() {
  static const std::vector<HandingRow> rows = FindRows(Trait::kHandsOn, KeepsWholeNumbers);
  return rows;
}

std::span<const HandingRow> RowsThatGiveBack() {
  static const std::vector<HandingRow> rows = FindRows(Trait::kGivesBack, [](const HandingRow&) { return true; });
  return rows;
}

HandedCase AnyHanded(Tape& tape, std::span<const HandingRow> rows, int64_t elements, int64_t most) {
  const HandingRow& row = rows[static_cast<size_t>(tape.Below(static_cast<int>(rows.size())))];
  const std::vector<SampledCase>& fitting = CasesOf(row, elements);
  const std::vector<SampledCase>& cases = fitting.empty() || tape.Chance(20) ? row.cases : fitting;
  const size_t count = cases.size(), start = static_cast<size_t>(tape.Below(static_cast<int>(count)));
  for (size_t i = 0; i < count; ++i) {
    const SampledCase& sample = cases[(start + i) % count];
    if (MostElements(sample) <= most) return {row.op, &sample};
  }
  return {};
}

}  // namespace plumb::property
