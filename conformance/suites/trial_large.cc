// Sizes at which kernels choose other paths than for small ones.
#include <algorithm>
#include <array>

#include "conformance/suites/layout.h"
#include "conformance/suites/trial.h"
#include "spec/core/choice_point.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {
namespace {

// The products of the sizes of large cases: chunks begin at tens of thousands of elements, pieces of a matrix product
// at millions of multiplications. What computes once per element is not tried beyond `kLargestPlain`.
constexpr int64_t kLargestPlain = 1 << 17, kLargestSum = 1 << 23;
constexpr std::array<int64_t, 2> kVolumes = {1 << 14, kLargestPlain};

// Every type is tried with this volume: it fills vectors and the pieces in which narrow types are converted many times.
constexpr int64_t kEveryType = 1 << 13;

// Values of attributes are tried with this volume, for each of them: chunks begin there where an element is some work.
constexpr int64_t kVaried = 1 << 15;

// How many draws of sizes, of either kind, may be spent on reaching a side of a limit.
constexpr uint64_t kAttempts = 2;
// How many draws of small inputs may be spent on it.
constexpr uint64_t kSmallDraws = 8;

bool HasOnly(const Variant& variant, std::initializer_list<DType> types) {
  return std::all_of(variant.types.begin(), variant.types.end(), [&](const auto& attr) {
    const DType* const type = attr.second.template Get<DType>();
    return type == nullptr || std::find(types.begin(), types.end(), *type) != types.end();
  });
}

// Paths that sizes select are the same for most types: those that programs use most stand for all, and for sums also
// double, which has its own.
bool IsForLarge(const Variant& variant, bool is_sum) {
  using enum DType;
  return is_sum ? HasOnly(variant, {kFloat, kInt32, kDouble}) : HasOnly(variant, {kFloat, kInt32});
}

// Of the widest type; limits are in elements or in bytes.
size_t WidestElement(const Variant& variant) {
  size_t widest = 0;
  for (const auto& [name, value] : variant.types) {
    if (const DType* const type = value.Get<DType>()) widest = std::max(widest, ElementSize(*type));
  }
  return widest;
}

// Whether the case may have this value instead: where nodes around it, or a choice of its own alternative, go with what
// it has, it may not; and a layout stays one of as many dimensions.
bool MayChange(const OpDef& op, const SampledCase& sampled, const std::string& name, const AttrValue& value) {
  const AttrValue& own = sampled.attrs.at(name);
  if (own == value) return true;
  if (!sampled.StandsAlone()) return false;
  if (name == kDataFormat) return own.Get<std::string>()->size() == value.Get<std::string>()->size();
  const auto& initial = op.FindAttr(name)->default_value;
  return !initial || own == *initial;
}

}  // namespace

void Trial::TryLarge() {
  if (!IsForLarge(variant_, IsSum())) {
    if (!backend_.borrows_kernels) TryLargeSizes(kEveryType, {}, options_.seed);
    return;
  }
  for (const int64_t volume : kVolumes) TryLargeSizes(volume, {}, options_.seed);
  // Other types have products of their own, but the same ways to them.
  if (IsSum()) TryLargeSizes(kLargestSum, {}, options_.seed, {.first_only = !HasOnly(variant_, {DType::kFloat})});
  TryLargeAttributes();
}

void Trial::TryLargeAttributes() {
  varied_ = true;
  for (const AttrDraw& draw : DrawsFor(op_)) {
    if (!drawn_.contains(draw.name)) continue;
    for (const AttrMap& attrs : draw.candidates) {
      if (known_->drawn_large.contains(draw.name)) break;
      if (TryLargeSizes(kVaried, attrs, options_.seed)) known_->drawn_large.insert(draw.name);
    }
  }
  varied_ = false;
}

// Of the limits that this trial met on their small side, those whose large side nobody has taken or given up.
std::set<std::string> Trial::OneSided() const {
  std::set<std::string> sides;
  for (const Choices::Choice& choice : Choices::Taken()) {
    if (choice.large) known_->large.insert(choice.name);
    const bool is_known = known_->large.contains(choice.name) ||
                          known_->given_up.contains(Str(choice.name, " of ", WidestElement(variant_), " bytes"));
    if (!is_known) sides.insert(choice.name);
  }
  return sides;
}

void Trial::TryOneSided() {
  const auto is_over = [&] { return !ok() || OneSided().empty(); };
  // Some limits lead elsewhere where there is a single number: small inputs meet it when enough of them are drawn. What
  // TryRounds and TryLarge have drawn takes no other side the second time.
  for (auto draw = static_cast<uint64_t>(RoundsOf(options_, backend_)); draw < kSmallDraws && !is_over(); ++draw) {
    const auto drawn = together_->cases.Small(options_.seed + draw);
    for (const SampledCase& sampled : *drawn) {
      if (!is_over()) Try(sampled);
    }
  }
  for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    for (const bool single : {false, true}) {
      const bool is_new = attempt > 0 || single || !IsForLarge(variant_, IsSum());
      if (is_new && !is_over()) TryLargeSizes(kLargestPlain, {}, options_.seed + attempt, {.single = single});
    }
  }
  varied_ = true;
  for (const AttrDraw& draw : DrawsFor(op_)) {
    for (const AttrMap& attrs : draw.candidates) {
      if (drawn_.contains(draw.name) && !is_over()) TryLargeSizes(kLargestPlain, attrs, options_.seed);
    }
  }
  varied_ = false;
  for (const std::string& name : OneSided()) {
    known_->given_up.insert(Str(name, " of ", WidestElement(variant_), " bytes"));
  }
}

bool Trial::TryLargeSizes(int64_t volume, const AttrMap& attrs, uint64_t seed, const LargeCases& which) {
  bool compared = false;
  const auto drawn = together_->cases.Large(seed, volume, which.single);
  for (const SampledCase& sampled : *drawn) {
    if (!ok() || (compared && which.first_only)) return compared;
    const bool may_change = std::all_of(attrs.begin(), attrs.end(), [&](const auto& entry) {
      return MayChange(op_, sampled, entry.first, entry.second);
    });
    if (!may_change) continue;
    const SampledCase changed = WithAttributes(op_, sampled, attrs);
    // What cannot lie on the lattice, such as a narrow type, is tried as it is.
    compared |= (IsSum() && TryOnLattice(changed)) || (ok() && Try(changed));
  }
  return compared;
}

}  // namespace plumb::conformance
