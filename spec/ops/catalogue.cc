#include "spec/ops/catalogue.h"

#include <algorithm>
#include <unordered_map>

#include "spec/ops/known/known_ops.h"
#include "spec/ops/topics.h"

namespace plumb {
namespace {

struct Catalogue {
  std::vector<OpDef> ops;
  std::vector<const OpDef*> sorted;
  std::unordered_map<std::string_view, const OpDef*> by_name;

  Catalogue() {
    for (const Topic& topic : Topics()) {
      for (const OpRow& row : topic.rows) ops.push_back(ParseOpRow(row));
    }
    for (const OpDef& op : ops) {
      if (!by_name.emplace(op.name, &op).second) throw Internal("the op ", op.name, " has two rows");
      sorted.push_back(&op);
    }
    std::sort(sorted.begin(), sorted.end(), [](const OpDef* a, const OpDef* b) { return a->name < b->name; });
  }
};

const Catalogue& TheCatalogue() {
  static const Catalogue catalogue;
  return catalogue;
}

// Number of single-character edits between two names.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

std::string_view NearestName(std::string_view name) {
  std::string_view nearest;
  size_t best = SIZE_MAX;
  for (const OpDef* op : TheCatalogue().sorted) {
    const size_t distance = EditDistance(name.substr(0, 100), op->name);
    if (distance < best) {
      best = distance;
      nearest = op->name;
    }
  }
  return nearest;
}

}  // namespace

std::span<const Topic> Topics() {
#define PLUMB_LIST(family, topic, Rows) {#family, #topic, topics::Rows()},
  static const Topic all[] = {PLUMB_OP_TOPICS(PLUMB_LIST)};
#undef PLUMB_LIST
  return all;
}

const OpDef* FindOp(std::string_view name) {
  const auto& by_name = TheCatalogue().by_name;
  const auto found = by_name.find(name);
  return found == by_name.end() ? FindKnownOp(name) : found->second;
}

const OpDef& GetOp(std::string_view name) {
  if (const OpDef* op = FindOp(name)) return *op;
  throw NotFound("Op type not registered: '", name, "' (the nearest known op is '", NearestName(name), "')");
}

std::span<const OpDef* const> AllOps() { return TheCatalogue().sorted; }

}  // namespace plumb
