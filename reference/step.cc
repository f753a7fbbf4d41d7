#include "reference/step.h"

#include "reference/control_flow.h"
#include "reference/execute.h"
#include "reference/frames.h"

namespace plumb::reference {
namespace {

// Names a message between a Send and a Recv of one step.
std::string MessageKey(const Node& node, const Event& event) {
  return Str(GetAttr<std::string>(node.attrs, "send_device"), ";", GetAttr<std::string>(node.attrs, "recv_device"), ";",
             GetAttr<std::string>(node.attrs, "tensor_name"), ";", event.frame, ":", event.iteration);
}

}  // namespace

Step::Step(const StepGraph& graph, std::span<const Value> feeds, SharedState& shared, const Mode& mode)
    : graph_(graph), feeds_(feeds), shared_(shared), mode_(mode) {
  config_.fuel = mode.fuel;
  config_.fetched.resize(graph.num_slots);
  Frames(graph_, config_).Start();
}

void Step::Fire(size_t index) {
  if (config_.fuel-- <= 0) throw ResourceExhausted("the step has fired as many nodes as it was allowed to");
  Event event = std::move(config_.ready[index]);
  config_.ready.erase(config_.ready.begin() + static_cast<std::ptrdiff_t>(index));
  const StepNode& node = graph_.nodes[event.node];
  if (node.rule == Rule::kRecv && !event.dead && !config_.messages.contains(MessageKey(*node.node, event))) {
    config_.parked.push_back(std::move(event));  // E2
    return;
  }
  std::vector<Token> outputs = Outputs(event);
  if (mode_.observer) {
    mode_.observer({node, *node.node, config_, event.frame, event.iteration, event.dead, event.inputs, outputs});
  }
  Frames(graph_, config_).Propagate(event, std::move(outputs));
}

// X2: a dead node does not run. X4: Send does, to say that it is dead.
std::vector<Token> Step::Outputs(Event& event) {
  const StepNode& node = graph_.nodes[event.node];
  if (node.rule == Rule::kSend) {
    if (!event.dead) event.inputs = PrepareInputs(*node.node, std::move(event.inputs));
    Send(node, event);
    return {};
  }
  if (event.dead) return DeadOutputs(node.rule == Rule::kFetch ? 0 : node.node->output_types.size());
  return LiveOutputs(node, event);
}

std::vector<Token> Step::LiveOutputs(const StepNode& node, Event& event) {
  switch (node.rule) {
    case Rule::kFeed:
      return {{.dead = false, .item = {feeds_[node.slot], nullptr}}};
    case Rule::kFetch:
      Fetch(node, event);
      return {};
    case Rule::kRecv:
      return {std::move(config_.messages.extract(MessageKey(*node.node, event)).mapped())};
    default:
      event.inputs = PrepareInputs(*node.node, std::move(event.inputs));
  }
  switch (node.rule) {
    case Rule::kSwitch:
      return Switch(event.inputs);
    case Rule::kMerge:
      return Merge(event.inputs);
    case Rule::kEnter:
    case Rule::kExit:
    case Rule::kNextIteration:
      return Forward(event.inputs);
    default:
      return RunKernel(*node.node, event.inputs, shared_, config_.step_resources, mode_);
  }
}

// F28: a reference must be initialised when the fetch runs; it is read when the step is over. F30: a tensor inside a
// loop can be fetched once.
void Step::Fetch(const StepNode& node, const Event& event) {
  std::optional<Item>& fetched = config_.fetched[node.slot];
  if (fetched)
    throw Internal("the fetched output ", node.port, " of node '", node.node->name, "' has already been set");
  const Item& item = event.inputs[0];
  if (item.ref != nullptr) Snapshot(*item.ref, node.node->name);
  fetched = item;
}

// X4: the message says whether the sender was dead. A Recv that waited for it may now run.
void Step::Send(const StepNode& node, const Event& event) {
  const std::string key = MessageKey(*node.node, event);
  config_.messages[key] = {.dead = event.dead, .item = event.dead ? Item() : event.inputs[0]};
  for (auto waiting = config_.parked.begin(); waiting != config_.parked.end(); ++waiting) {
    if (MessageKey(*graph_.nodes[waiting->node].node, *waiting) != key) continue;
    config_.ready.push_back(std::move(*waiting));
    config_.parked.erase(waiting);
    return;
  }
}

std::vector<Value> Step::Fetched() const {
  std::vector<Value> values;
  for (size_t i = 0; i < graph_.fetch_of.size(); ++i) {
    const std::optional<Item>& item = config_.fetched[graph_.fetch_of[i]];
    Require(item.has_value(), "Retval[", i, "] does not have value: the tensor is on a branch that was not taken");
    values.push_back(item->ref != nullptr ? Snapshot(*item->ref, Str("fetch ", i)) : item->value);
  }
  return values;
}

std::vector<Value> RunStep(Step& step, Driver& driver, const std::function<void()>& stop) {
  while (!step.enabled().empty()) {
    stop();
    step.Fire(driver.Choose(Choice::kEvent, step.enabled().size(), "ready list"));
  }
  return step.Fetched();
}

}  // namespace plumb::reference
