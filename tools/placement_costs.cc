#include "tools/placement_costs.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "spec/core/status.h"
#include "spec/session/trace_lines.h"

namespace plumb::tools {
namespace {

using nlohmann::json;

constexpr double kNanoseconds = 1000;  // of a microsecond, in which traces are written
constexpr char kStep[] = "step";       // the name of an event that is a whole step

RunMetadata StepOf(const std::map<std::string, double>& nanoseconds) {
  RunMetadata step;
  DeviceStats& device = step.step_stats.emplace_back();
  for (const auto& [node, took] : nanoseconds) device.nodes.push_back({node, "", 0, 0, std::llround(took), 0});
  return step;
}

}  // namespace

MeasuredCosts CostsOfTrace(std::string_view text, const std::string& path) {
  const json trace = json::parse(text, nullptr, /*allow_exceptions=*/false);
  Require(trace.is_object() && trace.contains("traceEvents") && trace["traceEvents"].is_array(), path,
          " is no trace: `plumb train MODEL --trace FILE` writes one");
  std::map<std::string, double> nanoseconds, on_streams;
  int steps = 0;
  for (const json& event : trace["traceEvents"]) {
    if (!event.is_object() || event.value("ph", json()) != "X") continue;
    const json category = event.value("cat", json());
    if (category != "computes" && category != "streams") continue;
    const json node = event.value("args", json::object()).value("node", json()), took = event.value("dur", json());
    Require(node.is_string() && took.is_number() && took.get<double>() >= 0, path,
            " is no trace of ours: an event in it has no node, or took no time that is a number");
    if (event.value("name", json()) == kStep) {
      ++steps;
    } else if (category == "streams") {
      on_streams[std::string(NodeOnStream(node.get<std::string>()))] += kNanoseconds * took.get<double>();
    } else {
      nanoseconds[node.get<std::string>()] += kNanoseconds * took.get<double>();
    }
  }
  for (const auto& [node, all] : on_streams) nanoseconds[node] = all;
  Require(steps > 0, path, " has no whole step, so that nobody knows how many it is of");
  for (auto& [node, all] : nanoseconds) all /= steps;
  MeasuredCosts costs;
  costs.Learn(StepOf(nanoseconds));
  return costs;
}

int LearnWhatRests(const GraphDef& graph, MeasuredCosts& costs) {
  std::map<std::string, double> resting;
  int measured = 0;
  for (const NodeDef& node : graph.nodes) {
    if (costs.SecondsOf(node.name)) {
      ++measured;
    } else {
      resting[node.name] = 0;
    }
  }
  if (measured > 0) costs.Learn(StepOf(resting));
  return measured;
}

}  // namespace plumb::tools
