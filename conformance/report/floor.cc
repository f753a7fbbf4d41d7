#include "conformance/report/floor.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

constexpr size_t kWidth = 112;  // of a line of names, less its indent

std::set<std::string> NamesIn(const Json& json, const std::string& where) {
  std::set<std::string> names;
  for (const Json& name : json) {
    Require(name.is_string(), "floor: ", where, " lists something that is no name");
    names.insert(name.get<std::string>());
  }
  return names;
}

Counts CountsIn(const Json& json, const std::string& where) {
  Counts counts;
  for (const auto& [name, count] : json.items()) {
    Require(count.is_number_integer(), "floor: ", where, ", '", name, "' is not a whole number");
    counts[name] = count.get<int64_t>();
  }
  return counts;
}

Reached ReachedIn(const std::string& run, const Json& json) {
  Require(json.is_object(), "floor: '", run, "' is not an object of counts and names");
  Reached reached;
  for (const auto& [kind, value] : json.items()) {
    const std::string where = Str("'", run, "', '", kind, "'");
    Require(value.is_number_integer() || value.is_structured(), "floor: ", where,
            " is neither a whole number nor a list, nor an object of whole numbers");
    if (value.is_array()) {
      reached.names[kind] = NamesIn(value, where);
    } else if (value.is_object()) {
      reached.by_name[kind] = CountsIn(value, where);
    } else {
      reached.counts[kind] = value.get<int64_t>();
    }
  }
  return reached;
}

// How many of a kind there are, counted or named.
int64_t CountOf(const Reached& reached, const std::string& kind) {
  const auto named = reached.names.find(kind);
  if (named != reached.names.end()) return static_cast<int64_t>(named->second.size());
  const auto by_name = reached.by_name.find(kind);
  if (by_name != reached.by_name.end()) {
    return std::accumulate(by_name->second.begin(), by_name->second.end(), int64_t{0},
                           [](int64_t sum, const auto& entry) { return sum + entry.second; });
  }
  const auto counted = reached.counts.find(kind);
  return counted == reached.counts.end() ? 0 : counted->second;
}

// Those of `least` that `reached` has not, in a line; empty: none.
std::string FallenOut(const std::set<std::string>& least, const Reached& reached, const std::string& kind) {
  const auto named = reached.names.find(kind);
  std::string fallen;
  for (const std::string& name : least) {
    if (named != reached.names.end() && named->second.contains(name)) continue;
    fallen += Str(fallen.empty() ? "" : "; ", name);
  }
  return fallen;
}

// Of those of `least` of which `reached` has fewer, how many it has, in a line; empty: none.
std::string Fewer(const Counts& least, const Reached& reached, const std::string& kind) {
  const auto counted = reached.by_name.find(kind);
  std::string fewer;
  for (const auto& [name, count] : least) {
    const bool has_any = counted != reached.by_name.end() && counted->second.contains(name);
    const int64_t has = has_any ? counted->second.at(name) : 0;
    if (has < count) fewer += Str(fewer.empty() ? "" : "; ", name, " ", has, ", the floor is ", count);
  }
  return fewer;
}

// Side by side, in lines of a common width.
std::string Listed(const std::vector<std::string>& items) {
  constexpr char kIndent[] = "\n      ";
  std::string text, line;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!line.empty() && line.size() + items[i].size() > kWidth) {
      text += kIndent + line;
      line.clear();
    }
    line += Str(line.empty() ? "" : " ", items[i], i + 1 == items.size() ? "" : ",");
  }
  return text + (line.empty() ? "" : kIndent + line + "\n    ");
}

std::string Listed(const std::set<std::string>& names) {
  std::vector<std::string> items;
  for (const std::string& name : names) items.push_back(Json(name).dump());
  return "[" + Listed(items) + "]";
}

std::string Listed(const Counts& counts) {
  std::vector<std::string> items;
  for (const auto& [name, count] : counts) items.push_back(Str(Json(name).dump(), ": ", count));
  return "{" + Listed(items) + "}";
}

constexpr char kRounds[] = " --rounds ", kOneSeed[] = " --rounds 1";

// Whether it rose.
bool Raised(Counts* floor, const std::string& name, int64_t count) {
  const auto [least, is_new] = floor->try_emplace(name, count);
  const bool raised = is_new || count > least->second;
  least->second = std::max(least->second, count);
  return raised;
}

std::string WithAllSeeds(const std::string& run) { return run.substr(0, run.find(kRounds)); }

}  // namespace

Floor::Floor(const std::string& json) {
  const Json runs = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  Require(runs.is_object(), "floor: this is not a JSON object");
  for (const auto& [run, reached] : runs.items()) runs_[run] = ReachedIn(run, reached);
}

std::string Floor::HeldTo(const std::string& run) const {
  for (const std::string& held : {run, WithAllSeeds(run), WithAllSeeds(run) + kOneSeed}) {
    if (runs_.contains(held)) return held;
  }
  return "";
}

std::vector<std::string> Floor::Below(const std::string& run, const Reached& reached) const {
  std::vector<std::string> below;
  const auto floor = runs_.find(HeldTo(run));
  if (floor == runs_.end()) return below;
  for (const auto& [kind, least] : floor->second.counts) {
    const int64_t count = CountOf(reached, kind);
    if (count < least) below.push_back(Str(run, ": ", count, " ", kind, ", the floor is ", least));
  }
  for (const auto& [kind, least] : floor->second.names) {
    const std::string fallen = FallenOut(least, reached, kind);
    if (!fallen.empty()) below.push_back(Str(run, ": fell out of ", kind, ": ", fallen));
  }
  for (const auto& [kind, least] : floor->second.by_name) {
    const std::string fewer = Fewer(least, reached, kind);
    if (!fewer.empty()) below.push_back(Str(run, ": fewer ", kind, ": ", fewer));
  }
  return below;
}

bool Floor::Raise(const std::string& run, const Reached& reached) {
  bool raised = false;
  const std::string held = HeldTo(run);
  Reached& floor = runs_[held == WithAllSeeds(run) ? held : run];
  for (const auto& [kind, count] : reached.counts) {
    raised |= Raised(&floor.counts, kind, count);
  }
  for (const auto& [kind, names] : reached.names) {
    raised |= floor.counts.erase(kind) > 0;
    for (const std::string& name : names) raised |= floor.names[kind].insert(name).second;
  }
  for (const auto& [kind, counts] : reached.by_name) {
    raised |= floor.counts.erase(kind) > 0;
    for (const auto& [name, count] : counts) raised |= Raised(&floor.by_name[kind], name, count);
  }
  return raised;
}

std::string Floor::ToJson() const {
  std::string text;
  for (const auto& [run, reached] : runs_) {
    std::map<std::string, std::string> kinds;
    for (const auto& [kind, count] : reached.counts) kinds[kind] = Str(count);
    for (const auto& [kind, names] : reached.names) kinds[kind] = Listed(names);
    for (const auto& [kind, counts] : reached.by_name) kinds[kind] = Listed(counts);
    text += Str(text.empty() ? "" : ",", "\n  ", Json(run).dump(), ": {");
    size_t left = kinds.size();
    for (const auto& [kind, value] : kinds)
      text += Str("\n    ", Json(kind).dump(), ": ", value, --left > 0 ? "," : "");
    text += "\n  }";
  }
  return "{" + text + "\n}\n";
}

}  // namespace plumb::conformance
