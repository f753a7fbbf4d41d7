// plumb_peer_graphs FOLDER: writes every compared graph as FOLDER/NAME.pb with its NAME.case (bench/peers/case.h).
#include <fstream>
#include <iostream>

#include "bench/graphs/graphs.h"
#include "spec/graph/proto_io.h"

namespace {

using plumb::bench::BenchGraph;

void WriteCase(const BenchGraph& bench, std::ostream& out) {
  out << "graph " << bench.name << ".pb\nitems " << bench.items << "\n";
  for (const auto& feed : bench.feeds) {
    const bool is_float = feed.dtype == plumb::DType::kFloat;
    out << "feed " << feed.name << " " << plumb::DTypeName(feed.dtype) << " ";
    if (is_float) out << "uniform " << feed.low << " " << feed.high;
    if (!is_float) out << "below " << feed.high;
    out << " [";
    for (size_t i = 0; i < feed.dims.size(); ++i) out << (i > 0 ? "," : "") << feed.dims[i];
    out << "]\n";
  }
  for (const auto& name : bench.inits) out << "init " << name << "\n";
  for (const auto& name : bench.fetches) out << "fetch " << name << "\n";
  for (const auto& name : bench.targets) out << "target " << name << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: plumb_peer_graphs FOLDER\n";
    return 2;
  }
  for (const BenchGraph& bench : plumb::bench::PeerGraphs()) {
    const std::string stem = std::string(argv[1]) + "/" + bench.name;
    std::ofstream(stem + ".pb", std::ios::binary) << plumb::SerializeGraphDef(bench.graph);
    std::ofstream text(stem + ".case");
    WriteCase(bench, text);
    if (!text.flush()) {
      std::cerr << "cannot write " << stem << ".case\n";
      return 1;
    }
  }
}
