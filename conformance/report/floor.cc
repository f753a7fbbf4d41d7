#include "conformance/report/floor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

Counts CountsOf(const std::string& run, const Json& json) {
  Require(json.is_object(), "floor: '", run, "' is not an object of counts");
  Counts counts;
  for (const auto& [name, count] : json.items()) {
    Require(count.is_number_integer(), "floor: '", run, "', '", name, "' is not a whole number");
    counts[name] = count.get<int64_t>();
  }
  return counts;
}

}  // namespace

Floor::Floor(const std::string& json) {
  const Json runs = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  Require(runs.is_object(), "floor: this is not a JSON object");
  for (const auto& [run, counts] : runs.items()) runs_[run] = CountsOf(run, counts);
}

std::vector<std::string> Floor::Below(const std::string& run, const Counts& counts) const {
  std::vector<std::string> below;
  const auto floor = runs_.find(run);
  if (floor == runs_.end()) return below;
  for (const auto& [name, least] : floor->second) {
    const auto found = counts.find(name);
    const int64_t count = found == counts.end() ? 0 : found->second;
    if (count < least) below.push_back(Str(run, ": ", count, " ", name, ", the floor is ", least));
  }
  return below;
}

bool Floor::Raise(const std::string& run, const Counts& counts) {
  bool raised = false;
  for (const auto& [name, count] : counts) {
    const auto [floor, is_new] = runs_[run].try_emplace(name, count);
    raised |= is_new || count > floor->second;
    floor->second = std::max(floor->second, count);
  }
  return raised;
}

std::string Floor::ToJson() const { return Json(runs_).dump(2) + "\n"; }

}  // namespace plumb::conformance
