#include "conformance/report/floor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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

Reached ReachedIn(const std::string& run, const Json& json) {
  Require(json.is_object(), "floor: '", run, "' is not an object of counts and names");
  Reached reached;
  for (const auto& [kind, value] : json.items()) {
    const std::string where = Str("'", run, "', '", kind, "'");
    Require(value.is_number_integer() || value.is_array(), "floor: ", where, " is neither a whole number nor a list");
    if (value.is_array()) {
      reached.names[kind] = NamesIn(value, where);
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

// Names side by side, in lines of a common width.
std::string Listed(const std::set<std::string>& names) {
  constexpr char kIndent[] = "\n      ";
  std::string text = "[", line;
  for (const std::string& name : names) {
    const std::string quoted = Json(name).dump();
    if (!line.empty() && line.size() + quoted.size() > kWidth) {
      text += kIndent + line;
      line.clear();
    }
    line += Str(line.empty() ? "" : " ", quoted, name == *names.rbegin() ? "" : ",");
  }
  return text + (line.empty() ? "" : kIndent + line + "\n    ") + "]";
}

constexpr char kRounds[] = " --rounds ", kOneSeed[] = " --rounds 1";

std::string WithAllSeeds(const std::string& run) { return run.substr(0, run.find(kRounds)); }

// How many numbers are compared hangs a little on what ops without a seed draw: tensors of random sizes, and answers
// that equal the recorded ones by chance and are compared once instead of twice. Cases and names do not.
int64_t LeastOf(std::string_view kind, int64_t floor) {
  constexpr int64_t kChance = 1000;  // one of so many
  return kind == "compared" ? floor - floor / kChance : floor;
}

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
    if (count < LeastOf(kind, least)) below.push_back(Str(run, ": ", count, " ", kind, ", the floor is ", least));
  }
  for (const auto& [kind, least] : floor->second.names) {
    const std::string fallen = FallenOut(least, reached, kind);
    if (!fallen.empty()) below.push_back(Str(run, ": fell out of ", kind, ": ", fallen));
  }
  return below;
}

bool Floor::Raise(const std::string& run, const Reached& reached) {
  bool raised = false;
  const std::string held = HeldTo(run);
  Reached& floor = runs_[held == WithAllSeeds(run) ? held : run];
  for (const auto& [kind, count] : reached.counts) {
    const auto [least, is_new] = floor.counts.try_emplace(kind, count);
    raised |= is_new || count > least->second;
    least->second = std::max(least->second, count);
  }
  for (const auto& [kind, names] : reached.names) {
    raised |= floor.counts.erase(kind) > 0;
    for (const std::string& name : names) raised |= floor.names[kind].insert(name).second;
  }
  return raised;
}

std::string Floor::ToJson() const {
  std::string text;
  for (const auto& [run, reached] : runs_) {
    std::map<std::string, std::string> kinds;
    for (const auto& [kind, count] : reached.counts) kinds[kind] = Str(count);
    for (const auto& [kind, names] : reached.names) kinds[kind] = Listed(names);
    text += Str(text.empty() ? "" : ",", "\n  ", Json(run).dump(), ": {");
    size_t left = kinds.size();
    for (const auto& [kind, value] : kinds)
      text += Str("\n    ", Json(kind).dump(), ": ", value, --left > 0 ? "," : "");
    text += "\n  }";
  }
  return "{" + text + "\n}\n";
}

}  // namespace plumb::conformance
