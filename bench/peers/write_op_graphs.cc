// plumb_peer_op_graphs FOLDER: a graph around each op that can be timed by itself, with large inputs drawn from its
// row, or as bench/graphs has it written by hand, as FOLDER/OP.pb, OP.case and OP.bin (bench/peers/case.h). Prints a
// line for each: OP FAMILY.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>

#include "bench/peers/write_case.h"
#include "conformance/golden/judge.h"
#include "conformance/suites/single_node.h"
#include "spec/core/status.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/equivalence.h"
#include "spec/samples/sample.h"

namespace {

using namespace plumb;
using conformance::SingleNode;

// Products of the sizes: of sums, multiplications; of others, elements or what is computed from them.
constexpr int64_t kProducts = int64_t{1} << 24, kElements = int64_t{1} << 18;
// A smaller case says how long a kernel takes to start, which rows of the executor do.
constexpr int64_t kFewest = 1 << 12;

bool IsPlain(const Tensor& tensor) {
  using enum DType;
  return !tensor.IsSet() || (tensor.dtype() != kResource && tensor.dtype() != kVariant);
}

int64_t ElementsOf(const SampledCase& sampled) {
  int64_t elements = 0;
  for (const Tensor& input : sampled.inputs) elements += input.IsSet() ? input.elements() : 0;
  for (const SampledNode& node : sampled.before) {
    for (const SampledInput& input : node.inputs) {
      if (const auto* const tensor = std::get_if<Tensor>(&input)) elements += tensor->elements();
    }
  }
  return elements;
}

// Numbers and texts in and out, and nothing left behind but in variables: a step can be repeated.
bool CanBeRepeated(const OpDef& op, const SampledCase& sampled) {
  const auto is_plain = [](const SampledInput& input) {
    const auto* const tensor = std::get_if<Tensor>(&input);
    return tensor == nullptr || IsPlain(*tensor);
  };
  const auto is_plain_node = [&](const SampledNode& node) {
    return !node.op->is_stateful && std::all_of(node.inputs.begin(), node.inputs.end(), is_plain);
  };
  const auto leads = [](const ArgDef& arg) { return LeadsSomewhere(arg); };
  return sampled.after.empty() && std::all_of(sampled.before.begin(), sampled.before.end(), is_plain_node) &&
         std::none_of(op.outputs.begin(), op.outputs.end(), leads) &&
         std::all_of(sampled.inputs.begin(), sampled.inputs.end(), IsPlain);
}

// The largest of the row's alternatives; none where the sizes of the row's samples are fixed.
std::optional<SampledCase> LargestOf(const OpDef& op) {
  const int64_t volume = op.accuracy.kind == AccuracyClass::kSummation ? kProducts : kElements;
  std::optional<SampledCase> largest;
  for (SampledCase& sampled : SampleLargeInputs(op, {}, 1, volume)) {
    if (!CanBeRepeated(op, sampled) || ElementsOf(sampled) < kFewest) continue;
    if (!largest || ElementsOf(sampled) > ElementsOf(*largest)) largest = std::move(sampled);
  }
  return largest;
}

// What is fed has a known shape, as some rules of TensorFlow's ask, unless it is a scalar, whose value others ask for
// as soon as they know that it is one. Texts, which cases do not feed, are constants in the place of their
// placeholders: no optimizer folds them.
void ReplacePlaceholder(NodeDef& node, const Tensor& value) {
  if (value.dtype() != DType::kString) {
    if (value.rank() > 0) node.attrs["shape"] = PartialShape(value.shape());
    return;
  }
  node.op = "Const";
  node.attrs["value"] = value;
}

SingleNode ForPeers(SingleNode single) {
  for (auto* step : {&single.initialize, &single.run}) {
    for (const auto& [name, value] : step->feeds) {
      for (NodeDef& node : single.graph.nodes) {
        if (node.name == name) ReplacePlaceholder(node, value);
      }
    }
    std::erase_if(step->feeds, [](const Feed& feed) { return feed.second.dtype() == DType::kString; });
  }
  return single;
}

void WriteFeed(const Feed& feed, const std::string& file, std::ofstream& bytes, std::ostream& text) {
  text << "feed " << feed.first << " " << DTypeName(feed.second.dtype()) << " bytes " << file << " " << bytes.tellp()
       << " [";
  for (int i = 0; i < feed.second.shape().rank(); ++i) text << (i > 0 ? "," : "") << feed.second.shape().dim(i);
  text << "]\n";
  bytes.write(static_cast<const char*>(feed.second.raw()), static_cast<std::streamsize>(feed.second.bytes()));
}

bool Write(const std::string& folder, const std::string& name, const SingleNode& single) {
  const std::string stem = folder + "/" + name;
  std::ofstream(stem + ".pb", std::ios::binary) << SerializeGraphDef(single.graph);
  std::ofstream bytes(stem + ".bin", std::ios::binary), text(stem + ".case");
  text << "graph " << name << ".pb\n";
  for (const auto* step : {&single.initialize, &single.run}) {
    for (const Feed& feed : step->feeds) WriteFeed(feed, name + ".bin", bytes, text);
  }
  for (const std::string& init : single.initialize.targets) text << "init " << init << "\n";
  text << "target " << conformance::kTried << "\n";
  return bytes.flush() && text.flush();
}

// Whether a step of it ends well here.
bool Runs(const conformance::Backend& backend, const SingleNode& single) {
  const auto session = backend.open();
  if (!session->Extend(single.graph).ok()) return false;
  std::vector<Tensor> none;
  for (const auto* step : {&single.initialize, &single.run}) {
    const std::vector<std::string> targets =
        step == &single.run ? std::vector<std::string>{conformance::kTried} : step->targets;
    if (!targets.empty() && !session->Run(step->feeds, {}, targets, &none).ok()) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: plumb_peer_op_graphs FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  const auto done = [&](const std::string& name, std::string_view family, bool is_written) {
    if (is_written) std::printf("%s %s\n", name.c_str(), std::string(family).c_str());
    if (!is_written) std::cerr << "cannot write " << name << ".case\n";
    return is_written;
  };
  std::set<std::string> by_hand;
  for (const bench::BenchGraph& written : bench::FamilyGraphs(bench::FilesOf(folder))) {
    by_hand.insert(written.name);
    if (!done(written.name, written.family, bench::WriteCase(folder, written))) return 1;
  }
  const conformance::Backend cpu = conformance::FindBackend("cpu");
  for (const Topic& topic : Topics()) {
    for (const OpRow& row : topic.rows) {
      const std::string name(row.signature, std::string(row.signature).find('('));
      const OpDef& op = GetOp(name);
      if (by_hand.contains(name) || !cpu.implements(name) || !CanSample(op)) continue;
      const auto sampled = LargestOf(op);
      if (!sampled) continue;
      const SingleNode single = ForPeers(conformance::MakeSingleNode(op, *sampled));
      if (Runs(cpu, single) && !done(name, topic.family, Write(folder, name, single))) return 1;
    }
  }
}
