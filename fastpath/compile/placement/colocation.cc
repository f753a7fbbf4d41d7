#include "fastpath/compile/placement/colocation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "fastpath/compile/placement/aliases.h"
#include "fastpath/device/device.h"

namespace plumb::fast {
namespace {

std::vector<std::string> ClassesOf(const StepNode& node) {
  std::vector<std::string> labels;
  if (node.op == nullptr) return labels;
  const auto found = node.op->attrs.find("_class");
  const auto* classes = found == node.op->attrs.end() ? nullptr : found->second.Get<std::vector<std::string>>();
  if (classes == nullptr) return labels;
  for (const std::string& text : *classes) {
    if (text.starts_with("loc:@")) labels.push_back(text.substr(5));
  }
  return labels;
}

}  // namespace

ColocationGroups::ColocationGroups(const StepGraph& graph, bool soft)
    : graph_(graph), soft_(soft), parent_(graph.nodes.size()) {
  std::iota(parent_.begin(), parent_.end(), 0);
  request_.resize(graph.nodes.size());
  for (size_t i = 0; i < parent_.size(); ++i) {
    const Node* const op = graph.nodes[i].op;
    if (op != nullptr) request_[i] = DeviceName::Parse(GetAttrOr<std::string>(op->attrs, kHolder, op->device));
  }
  JoinReferences();
  JoinClasses();
  if (graph.device_names.size() > 1) {
    JoinAliases();
    JoinVariants();
  }
}

int ColocationGroups::Find(int node) const {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

// W11 (a): a reference and whoever takes it as one. W12: the producer's request wins.
void ColocationGroups::JoinReferences() {
  for (int i = 0; i < graph_.size(); ++i) {
    const StepNode& node = graph_.nodes[i];
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (!LeadsToResource(node.input_types[k])) continue;
      const int producer = Find(static_cast<int>(Index(node.inputs[k].node))), consumer = Find(i);
      if (producer == consumer) continue;
      try {
        request_[producer] = request_[producer].MergeWith(request_[consumer], soft_);
      } catch (const Error&) {
        // W12: it stays as the producer asks.
      }
      parent_[consumer] = producer;
    }
  }
}

// W11 (b): all nodes that name "loc:@X", and X itself unless it names another.
void ColocationGroups::JoinClasses() {
  std::map<std::string, int> first;  // by label
  std::map<std::string, int> named;
  for (int i = 0; i < graph_.size(); ++i) named[graph_.nodes[i].name] = i;
  for (int i = 0; i < graph_.size(); ++i) {
    for (const std::string& label : ClassesOf(graph_.nodes[i])) {
      const auto [at, is_new] = first.emplace(label, i);
      if (!is_new) JoinOrThrow(at->second, i);
      const auto target = named.find(label);
      if (target != named.end() && ClassesOf(graph_.nodes[target->second]).empty()) JoinOrThrow(target->second, i);
    }
  }
}

void ColocationGroups::JoinOrThrow(int a, int b) {
  a = Find(a), b = Find(b);
  if (a == b) return;
  try {
    request_[a] = request_[a].MergeWith(request_[b], soft_);
  } catch (const Error& error) {
    if (soft_) return;  // W12: this colocation is ignored
    throw InvalidArgument("Cannot colocate nodes '", graph_.nodes[a].name, "' and '", graph_.nodes[b].name,
                          "': ", error.what());
  }
  parent_[b] = a;
}

// What hands on what may be a variable's buffer stays where that is, if neither it nor a group of its own asks for
// another place. Nodes stand in any order: those that read from one that joins come along.
void ColocationGroups::JoinAliases() {
  const std::vector<bool> may_alias = FindAliases(graph_), is_alone = FindAlone();
  for (int i = 0; i < graph_.size(); ++i) {
    if (!may_alias[i] || !is_alone[i]) continue;
    const std::vector<Endpoint>& inputs = graph_.nodes[i].inputs;
    const auto input =
        std::find_if(inputs.begin(), inputs.end(), [&](const Endpoint& each) { return may_alias[Index(each.node)]; });
    if (input == inputs.end()) continue;
    const int producer = Find(static_cast<int>(Index(input->node)));
    if (producer != i) parent_[i] = producer;
  }
}

// W14: what a variant holds would travel with it, however many tensors that are, from each device to the next.
void ColocationGroups::JoinVariants() {
  const std::vector<bool> is_alone = FindAlone();
  for (int i = 0; i < graph_.size(); ++i) {
    for (const Endpoint& input : graph_.nodes[i].inputs) {
      if (graph_.TypeOf(input) != DType::kVariant || !is_alone[i] || !is_alone[Index(input.node)]) continue;
      const int producer = Find(static_cast<int>(Index(input.node))), consumer = Find(i);
      if (producer != consumer) parent_[consumer] = producer;
    }
  }
}

// By node: those that ask for no place, and are in no group with others.
std::vector<bool> ColocationGroups::FindAlone() const {
  std::vector<int> size(graph_.nodes.size());
  for (int i = 0; i < graph_.size(); ++i) ++size[Find(i)];
  std::vector<bool> is_alone(graph_.nodes.size());
  for (int i = 0; i < graph_.size(); ++i) {
    const Node* const op = graph_.nodes[i].op;
    is_alone[i] = op != nullptr && op->device.empty() && size[Find(i)] == 1;
  }
  return is_alone;
}

}  // namespace plumb::fast
