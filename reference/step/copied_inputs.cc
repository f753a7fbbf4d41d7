// R36: between devices travel copies. Devices are told apart by what nodes ask for.
#include <optional>
#include <vector>

#include "reference/step/placement.h"

namespace plumb::reference {
namespace {

class Places {
 public:
  Places(const StepGraph& step, const SessionOptions& options)
      : step_(step), options_(options), producer_(step.nodes.size(), -1), place_(step.nodes.size(), kUnknown) {
    for (size_t i = 0; i < step.nodes.size(); ++i) {
      for (const StepEdge& edge : step.nodes[i].consumers) {
        if (edge.input == 0) producer_[edge.consumer] = static_cast<int>(i);
      }
    }
  }

  // That of the first node up the chain of first inputs that has one of its own.
  int Of(int number) {
    std::vector<int> chain;
    int at = number;
    std::optional<int> own;
    while (place_[at] == kUnknown && !own) {
      place_[at] = 0;  // for whoever asks around a loop
      chain.push_back(at);
      own = OwnPlace(at);
      if (!own) at = producer_[at];
    }
    const int place = own.value_or(place_[at]);
    for (const int each : chain) place_[each] = place;
    return place;
  }

 private:
  static constexpr int kUnknown = -1;

  // None where it is that of the first input.
  std::optional<int> OwnPlace(int number) const {
    const StepNode& node = step_.nodes[number];
    const bool is_real = node.rule != Rule::kFeed && node.rule != Rule::kFetch;
    const bool asks = is_real && !node.node->device.empty();
    // W11, W12: whoever takes a reference or a handle is where that is, whatever it asks for.
    if (asks && (producer_[number] < 0 || !TakesReference(*node.node))) {
      return NumberOfDevice(DeviceName::Parse(node.node->device), options_);
    }
    return producer_[number] < 0 ? std::optional(0) : std::nullopt;
  }

  static bool TakesReference(const Node& node) {
    return !node.input_types.empty() && (IsRef(node.input_types[0]) || node.input_types[0] == DType::kResource);
  }

  const StepGraph& step_;
  const SessionOptions& options_;
  std::vector<int> producer_;  // per node: of its first input; -1: none
  std::vector<int> place_;
};

}  // namespace

void MarkCopiedInputs(StepGraph& step, const SessionOptions& options) {
  if (CountDevices(options) < 2) return;
  Places places(step, options);
  for (size_t i = 0; i < step.nodes.size(); ++i) {
    for (const StepEdge& edge : step.nodes[i].consumers) {
      StepNode& consumer = step.nodes[edge.consumer];
      if (edge.input < 0 || places.Of(static_cast<int>(i)) == places.Of(edge.consumer)) continue;
      consumer.copied_inputs.resize(consumer.data_inputs);
      consumer.copied_inputs[edge.input] = true;
    }
  }
}

}  // namespace plumb::reference
