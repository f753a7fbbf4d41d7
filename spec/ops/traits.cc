#include "spec/ops/traits.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <unordered_map>

#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

// In the order of Trait.
constexpr std::string_view kWords[] = {
    "adds",       "batches",      "counts_turns",    "differentiates_body", "differentiates_first", "draws_numbers",
    "gives_back", "hands_on",     "may_be_singular", "meets_group",         "names_target",         "sets",
    "subtracts",  "updates_rows", "updates_slices",  "updates_whole"};

// The words behind a signature's arguments.
std::set<Trait> TraitsIn(std::string_view signature) {
  std::set<Trait> traits;
  std::string_view left = signature.substr(signature.rfind(')') + 1);
  while (!left.empty()) {
    const size_t length = std::min(left.find(' '), left.size());
    if (const auto trait = ParseTrait(left.substr(0, length))) traits.insert(*trait);
    left.remove_prefix(std::min(length + 1, left.size()));
  }
  return traits;
}

const std::unordered_map<std::string, std::set<Trait>>& TraitsByOp() {
  static const auto* const by_op = [] {
    auto* const found = new std::unordered_map<std::string, std::set<Trait>>();
    for (const Topic& topic : Topics()) {
      for (const OpRow& row : topic.rows) {
        const std::string_view signature = row.signature;
        const std::set<Trait> traits = TraitsIn(signature);
        if (!traits.empty()) found->emplace(signature.substr(0, signature.find('(')), traits);
      }
    }
    return found;
  }();
  return *by_op;
}

}  // namespace

std::optional<Trait> ParseTrait(std::string_view word) {
  const auto found = std::find(std::begin(kWords), std::end(kWords), word);
  if (found == std::end(kWords)) return std::nullopt;
  return static_cast<Trait>(found - std::begin(kWords));
}

std::string_view TraitName(Trait trait) { return kWords[static_cast<size_t>(trait)]; }

bool Has(const OpDef& op, Trait trait) {
  const auto found = TraitsByOp().find(op.name);
  return found != TraitsByOp().end() && found->second.contains(trait);
}

std::vector<Trait> TraitsOf(const OpDef& op) {
  const auto found = TraitsByOp().find(op.name);
  if (found == TraitsByOp().end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace plumb
