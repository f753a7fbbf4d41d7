// `plumb place`: a device for each node of a graph, by what nodes cost.
#include <algorithm>
#include <cstdio>

#include "backends/backends.h"
#include "backends/devices.h"
#include "client/import.h"
#include "client/placement/place_by_cost.h"
#include "spec/files/file.h"
#include "spec/graph/graph_file.h"
#include "spec/ops/op_def.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/device_offers.h"
#include "tools/literal.h"
#include "tools/placement_costs.h"
#include "tools/restore.h"
#include "tools/sandbox.h"

namespace plumb::tools {
namespace {

constexpr double kMilliseconds = 1e3, kMicroseconds = 1e6;  // of a second
constexpr double kBytesOfMegabit = 1e6 / 8;

// The processors and cards of this machine with all of their memory. What is simulated or emulated has none of its own.
std::vector<DeviceOffer> DevicesOfThisMachine() {
  std::vector<DeviceOffer> offers;
  for (const DeviceDescription& device : ListDevices().devices) {
    if (device.memory > 0) offers.push_back({device.name, device.memory});
  }
  return offers;
}

class Place : public Command {
 public:
  const char* name() const override { return "place"; }
  const char* help() const override {
    return "Gives each node of a graph a device, so that a step ends soon and each device's memory holds what lies on "
           "it.";
  }
  std::string details() const override {
    return "Costs are those of --costs, or of traced steps that --fetch and --target name, or else estimated from the "
           "sizes of tensors.\n"
           "  plumb place model.pbtxt --devices /job:worker/task:0=2GiB,/job:worker/task:1=2GiB --target train \\\n"
           "    --first init --output placed.pbtxt";
  }
  void Declare(Options& options) override {
    options.Argument("graph", &graph_, "GraphDef or MetaGraphDef, binary or text");
    options.Option("--devices", &devices_,
                   "where nodes may go: NAME=MEMORY*SPEED, as in cpu:0=2GiB,cpu:1=1GiB*0.5; without MEMORY any amount, "
                   "without SPEED as fast as where costs were measured. Not given: this machine's processor and cards");
    options.Option("--costs", &costs_, "trace that `plumb train --trace` wrote");
    options.Option("--fetch", &fetches_, "tensor that a measured step fetches; may be repeated");
    options.Option("--target", &targets_, "node that a measured step runs; may be repeated");
    options.Option("--feed", &feeds_, "what a measured step is fed, as for `plumb run`; may be repeated");
    options.Option("--first", &first_,
                   "node to run before, in a step of its own, such as an initialiser; may be repeated");
    options.Option("--restore", &checkpoint_, "checkpoint whose values the variables take before steps are measured");
    options.Option("--sandbox", &sandbox_,
                   "folder that measured steps may read and write files below, besides reading what --restore names; "
                   "else anywhere");
    options.Option("--steps", &steps_, "steps to measure, of which each node's median counts");
    options.Option("--threads", &threads_, "threads of the session in which steps are measured; 0: one per core");
    options.Option("--latency", &latency_, "microseconds from device to device");
    options.Option("--mbit", &mbit_, "megabits a second between two devices");
    options.Option("--unknown-dimension", &unknown_,
                   "what a dimension counts as that no shape says, such as that of a batch");
    options.Option("--output", &output_,
                   "file for the graph with its devices: text where the name ends in .pbtxt or .txt, else binary. Of a "
                   "MetaGraph the graph alone");
    options.Flag("--quiet", &quiet_, "print no line for each node");
  }

  int Run() override {
    Require(steps_ >= 1, "--steps is to be at least 1, and is ", steps_);
    Require(latency_ >= 0 && mbit_ > 0, "--latency is to be at least 0 and --mbit above 0");
    Require(unknown_ >= 1, "--unknown-dimension is to be at least 1, and is ", unknown_);
    const std::vector<DeviceOffer> offers = devices_.empty() ? DevicesOfThisMachine() : ParseOffers(devices_);
    const MetaGraph meta = LoadMetaGraphFile(graph_);
    MeasuredCosts costs = Costs(meta);
    const int measured = LearnWhatRests(meta.graph, costs);
    Require(costs_.empty() || measured > 0, "no node of ", graph_, " is in ", costs_);
    Scope scope;
    ImportGraph(scope, meta.graph);
    const CostOptions options = {{1e-6 * latency_, mbit_ * kBytesOfMegabit}, unknown_};
    const CostPlacement placement = PlaceByCost(scope.builder(), costs, offers, options);
    if (!quiet_) PrintNodes(scope.builder().graph(), placement);
    PrintDevices(scope.builder().graph(), placement, offers);
    std::printf("a step is expected to take %.3f ms; its work alone is %.3f ms; %d of %zu nodes were measured\n",
                kMilliseconds * placement.seconds, kMilliseconds * Work(placement), measured, meta.graph.nodes.size());
    if (!output_.empty()) {
      GraphDef graph = meta.graph;
      AskForDevices(graph, placement);
      SaveGraphFile(graph, output_);
    }
    return 0;
  }

 private:
  MeasuredCosts Costs(const MetaGraph& meta) const {
    const bool is_run = !fetches_.empty() || !targets_.empty();
    Require(costs_.empty() || !is_run, "costs are those of --costs, or of the steps that --fetch and --target name");
    if (!costs_.empty()) return CostsOfTrace(ReadFile(costs_), costs_);
    return is_run ? CostsOfSteps(meta) : MeasuredCosts();
  }

  // In this process, wherever nodes ask to be.
  MeasuredCosts CostsOfSteps(MetaGraph meta) const {
    for (NodeDef& node : meta.graph.nodes) node.device.clear();
    SessionOptions options;
    options.threads = threads_;
    const auto session = OpenSession("cpu", options);
    Check(session->Extend(meta.graph));
    const std::string prefix = checkpoint_.empty() ? "" : PrefixOf(checkpoint_);
    ConfineFilesBut(sandbox_, checkpoint_, prefix);
    if (!checkpoint_.empty()) Restore(*session, meta, prefix);
    std::vector<Feed> feeds;
    for (const std::string& feed : feeds_) feeds.push_back(ParseFeed(feed));
    std::vector<Tensor> outputs;
    for (const std::string& first : first_) Check(session->Run(feeds, {}, {&first, 1}, &outputs));
    MeasuredCosts costs;
    RunOptions traced;
    traced.trace = true;
    for (int step = 0; step < steps_; ++step) {
      RunMetadata metadata;
      Check(session->Run(traced, feeds, fetches_, targets_, &outputs, &metadata));
      costs.Learn(metadata);
    }
    return costs;
  }

  static double Work(const CostPlacement& placement) {
    double seconds = 0;
    for (const auto& [node, took] : placement.node_seconds) seconds += took;
    return seconds;
  }

  static const std::string& DeviceOf(const Node& node, const CostPlacement& placement) {
    const auto placed = placement.devices.find(node.name);
    return placed == placement.devices.end() ? node.device : placed->second;
  }

  static void PrintNodes(const Graph& graph, const CostPlacement& placement) {
    size_t width = 0;
    for (const Node& node : graph.nodes()) width = std::max(width, DeviceOf(node, placement).size());
    for (const Node& node : graph.nodes()) {
      std::printf("%-*s %12.1f us  %s (%s)\n", static_cast<int>(width), DeviceOf(node, placement).c_str(),
                  kMicroseconds * placement.node_seconds.at(node.name), node.name.c_str(), node.op->name.c_str());
    }
  }

  static void PrintDevices(const Graph& graph, const CostPlacement& placement, const std::vector<DeviceOffer>& offers) {
    for (size_t i = 0; i < offers.size(); ++i) {
      int nodes = 0;
      double seconds = 0;
      for (const Node& node : graph.nodes()) {
        if (placement.offers.at(node.name) != static_cast<int>(i)) continue;
        ++nodes;
        seconds += placement.node_seconds.at(node.name) / offers[i].speed;
      }
      std::printf("%s: %d nodes, %s of %s, %.3f ms of work\n", offers[i].device.c_str(), nodes,
                  TextOfBytes(placement.held[i]).c_str(), TextOfBytes(offers[i].memory).c_str(),
                  kMilliseconds * seconds);
    }
  }

  std::string graph_, devices_, costs_, checkpoint_, sandbox_, output_;
  std::vector<std::string> fetches_, targets_, feeds_, first_;
  int steps_ = 5, threads_ = 0, unknown_ = 1;
  double latency_ = 50, mbit_ = 10'000;
  bool quiet_ = false;
};

}  // namespace

Command& PlaceCommand() {
  static Place command;
  return command;
}

}  // namespace plumb::tools
