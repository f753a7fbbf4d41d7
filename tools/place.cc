// `plumb place`: gives the nodes of a graph file devices by what they cost here.
#include <cstdio>
#include <set>

#include "backends/backends.h"
#include "client/import.h"
#include "client/placement/place_by_cost.h"
#include "spec/graph/graph_file.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/literal.h"
#include "tools/place_offer.h"

namespace plumb::tools {
namespace {

class Place : public Command {
 public:
  const char* name() const override { return "place"; }
  const char* help() const override {
    return "Gives each node of a graph a device, by costs that are measured here and under each device's memory.";
  }
  std::string details() const override {
    return "plumb place graph.pb --device /job:worker/task:0=4096 --device /job:worker/task:1=4096 --fetch loss:0\n"
           "    --output placed.pb\n\n"
           "Nodes that ask for a device stay there. What no step ran is estimated from its size.";
  }
  void Declare(Options& options) override {
    options.Argument("graph", &graph_, "GraphDef or MetaGraphDef, binary or text");
    options.Option("--device", &devices_,
                   "NAME=MEGABYTES*SPEED: a device that nodes may go to, its memory, and how fast it is beside this "
                   "machine; the latter two may be left out; to be repeated");
    options.Option("--feed", &feeds_, "NAME=VALUE for the steps that are measured, as `plumb run` takes it");
    options.Option("--fetch", &fetches_, "what these steps fetch; none: nothing is measured");
    options.Option("--target", &targets_, "node to run first, each in a step of its own, as for `plumb run`");
    options.Option("--steps", &steps_, "that are measured");
    options.Option("--backend", &backend_, "that they run on");
    options.Option("--threads", &threads_, "of the cpu backend; one measures each node undisturbed");
    options.Option("--latency", &latency_, "microseconds from device to device");
    options.Option("--gigabytes", &gigabytes_, "a second, between devices");
    options.Option("--unknown", &unknown_, "what a dimension counts as that is not known before the run");
    options.Option("--output", &output_, "file for the graph with its devices, text where it ends in .pbtxt or .txt");
  }
  int Run() override {
    std::vector<DeviceOffer> offers;
    for (const std::string& device : devices_) offers.push_back(ParseOffer(device));
    GraphDef graph = LoadGraphFile(graph_);
    Scope scope;
    ImportGraph(scope, graph);
    const CostOptions options = {{1e-6 * latency_, 1e9 * gigabytes_}, unknown_};
    const CostPlacement placement = PlaceByCost(scope.builder(), Measured(graph), offers, options);
    Tell(placement, offers);
    AskForDevices(graph, placement);
    if (!output_.empty()) SaveGraphFile(graph, output_);
    return 0;
  }

 private:
  MeasuredCosts Measured(const GraphDef& graph) const {
    MeasuredCosts costs;
    if (fetches_.empty()) return costs;
    const auto session = OpenSession(backend_, {.threads = threads_, .allow_soft_placement = true});
    GraphDef here = graph;
    for (NodeDef& node : here.nodes) node.device.clear();  // its devices may be those of other tasks
    Check(session->Extend(here));
    std::vector<Feed> feeds;
    for (const std::string& feed : feeds_) feeds.push_back(ParseFeed(feed));
    std::vector<Tensor> outputs;
    for (const std::string& target : targets_) Check(session->Run({}, feeds, {}, {&target, 1}, &outputs, nullptr));
    RunOptions options;
    options.trace = true;
    for (int step = 0; step < steps_; ++step) {
      RunMetadata metadata;
      Check(session->Run(options, feeds, fetches_, {}, &outputs, &metadata));
      costs.Learn(metadata);
    }
    return costs;
  }

  static void Tell(const CostPlacement& placement, const std::vector<DeviceOffer>& offers) {
    std::map<std::string, int> nodes;
    for (const auto& [node, device] : placement.devices) ++nodes[device];
    for (size_t i = 0; i < offers.size(); ++i) {
      std::printf("%s: %d nodes, %.3f MB", offers[i].device.c_str(), nodes[offers[i].device],
                  static_cast<double>(placement.held[i]) / (1 << 20));
      if (offers[i].memory != INT64_MAX) std::printf(" of %.3f", static_cast<double>(offers[i].memory) / (1 << 20));
      std::printf("\n");
    }
    std::printf("A step is expected to take %.3f ms; the costs of %d nodes were measured\n", 1000 * placement.seconds,
                placement.measured);
  }

  std::string graph_, backend_ = "cpu", output_;
  std::vector<std::string> devices_, feeds_, fetches_, targets_;
  int steps_ = 5, threads_ = 1, unknown_ = 1;
  double latency_ = 50, gigabytes_ = 1.25;
};

}  // namespace

Command& PlaceCommand() {
  static Place command;
  return command;
}

}  // namespace plumb::tools
