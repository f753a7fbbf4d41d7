#include "bench/peers/write_case.h"

#include <filesystem>
#include <fstream>

#include "spec/graph/proto_io.h"

namespace plumb::bench {
namespace {

void WriteFeed(const FeedShape& feed, std::ostream& out) {
  out << "feed " << feed.name << " " << DTypeName(feed.dtype) << " ";
  if (feed.dtype == DType::kFloat) out << "uniform " << feed.low << " " << feed.high;
  if (feed.dtype != DType::kFloat) out << "below " << feed.high;
  out << " [";
  for (size_t i = 0; i < feed.dims.size(); ++i) out << (i > 0 ? "," : "") << feed.dims[i];
  out << "]\n";
}

}  // namespace

bool WriteCase(const std::string& folder, const BenchGraph& bench) {
  const std::string stem = folder + "/" + bench.name;
  std::ofstream(stem + ".pb", std::ios::binary) << SerializeGraphDef(bench.graph);
  std::ofstream out(stem + ".case");
  out << "graph " << bench.name << ".pb\nitems " << bench.items << "\n";
  if (bench.cpus > 1) out << "cpus " << bench.cpus << "\n";
  for (const FeedShape& feed : bench.feeds) WriteFeed(feed, out);
  for (const auto& name : bench.inits) out << "init " << name << "\n";
  for (const auto& name : bench.runners) out << "runner " << name << "\n";
  for (const auto& name : bench.fetches) out << "fetch " << name << "\n";
  for (const auto& name : bench.targets) out << "target " << name << "\n";
  return static_cast<bool>(out.flush());
}

std::string FilesOf(const std::string& folder) { return std::filesystem::absolute(folder + "/files").string(); }

}  // namespace plumb::bench
