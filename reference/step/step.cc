#include "reference/step/step.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/state/timed.h"
#include "reference/state/variable.h"
#include "reference/step/calls.h"
#include "reference/step/control_flow.h"
#include "reference/step/execute.h"
#include "reference/step/frames.h"
#include "reference/step/placement.h"

namespace plumb::reference {
namespace {

// W23, W30: names a message between a Send and a Recv of one step.
std::string MessageKey(const Node& node, const Event& event) {
  return Str(GetAttr<std::string>(node.attrs, "send_device"), ";",
             GetAttr<int64_t>(node.attrs, "send_device_incarnation"), ";",
             GetAttr<std::string>(node.attrs, "recv_device"), ";", GetAttr<std::string>(node.attrs, "tensor_name"), ";",
             event.frame, ":", event.iteration);
}

// The tensor that is fetched into this slot.
std::string NameOfFetch(const StepGraph& graph, int slot) {
  const auto fetch = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                  [&](const StepNode& node) { return node.rule == Rule::kFetch && node.slot == slot; });
  return Str(fetch->node->name, ":", fetch->port);
}

// R36, W24: a copy is made when all else that the node waits for is there, which is when the node starts.
void DetachCopied(const StepNode& node, std::vector<Item>& inputs) {
  for (size_t i = 0; i < node.copied_inputs.size(); ++i) {
    if (node.copied_inputs[i] && inputs[i].ref == nullptr && inputs[i].IsSet()) {
      inputs[i].value = Detached(std::move(inputs[i].value));
    }
  }
}

}  // namespace

std::string ToString(const std::vector<Waiting>& waiting) {
  std::string text;
  for (const Waiting& one : waiting) {
    text += Str(text.empty() ? "" : "; ", "step ", one.step, ": node '", one.node, "' (", one.op, ") waits for ",
                one.waits_for);
  }
  return text;
}

Step::Step(StepId id, std::shared_ptr<const Program> program, SharedState& shared)
    : id_(id), program_(std::move(program)), graph_(program_->graph), mode_(program_->mode), shared_(shared) {
  config_.fuel = mode_.fuel;
  config_.fetched.resize(graph_.num_slots);
  Frames(graph_, config_).Start();
  if (!program_->in_pieces) return;
  std::deque<Event>& ready = config_.ready;
  const auto waits = [&](const Event& event) { return NodeOf(event).rule == Rule::kFeed; };
  std::copy_if(ready.begin(), ready.end(), std::back_inserter(config_.unfed), waits);
  std::erase_if(ready, waits);
}

Step::Step(const Step& original, SharedState& shared, Copies& copies)
    : id_(original.id_),
      program_(original.program_),
      graph_(program_->graph),
      mode_(program_->mode),
      shared_(shared),
      config_(original.config_.Clone(copies)),
      bodies_(original.bodies_) {}

const StepNode& Step::NodeOf(const Event& event) const {
  const std::shared_ptr<const Body>& body = config_.frames.at(event.frame).body;
  return (body == nullptr ? graph_ : body->step).nodes[event.node];
}

void Step::Fire(size_t index) {
  Event event = std::move(config_.ready[index]);
  config_.ready.erase(config_.ready.begin() + static_cast<std::ptrdiff_t>(index));
  if (event.attempt == nullptr && config_.fuel-- <= 0) {
    throw ResourceExhausted("the step has fired as many nodes as it was allowed to, ", mode_.fuel);
  }
  const StepNode& node = NodeOf(event);
  if (node.rule == Rule::kCall && !event.dead) return StartCall(node, std::move(event));
  if (node.rule == Rule::kRecv && !config_.messages.contains(MessageKey(*node.node, event))) {
    config_.receiving.push_back(std::move(event));  // E2
    return;
  }
  firing_ = event.attempt;
  std::vector<Token> outputs = Outputs(event);
  firing_ = nullptr;
  if (event.attempt != nullptr) {
    config_.parked.push_back(std::move(event));  // E2
    return;
  }
  Finish(node, event, std::move(outputs));
  SeeToReturned();
}

void Step::Finish(const StepNode& node, const Event& event, std::vector<Token> outputs) {
  if (mode_.observer) {
    mode_.observer({node, *node.node, config_, event.frame, event.iteration, event.dead, event.inputs, outputs});
  }
  Frames(graph_, config_).Propagate(event, std::move(outputs));
}

void Step::StartCall(const StepNode& node, Event event) {
  event.inputs = PrepareInputs(*node.node, std::move(event.inputs));
  const FrameId around = config_.frames.at(event.frame).call;
  const int depth = around == kNoFrame ? 1 : config_.frames.at(around).returns_to->depth + 1;
  if (depth > kMaxCallDepth) {
    throw ResourceExhausted("node '", node.node->name.substr(0, 200), "…: calls lie more than ", kMaxCallDepth,
                            " deep in each other");
  }
  CheckExecutor(*node.node);
  if (NamesTarget(*node.node->op)) CheckTarget(*node.node, event.inputs[0].value.tensor, program_->options);
  std::optional<BodyRun> first = FirstBody(*node.node, event.inputs);
  if (!first) {
    std::vector<Token> outputs = ResultsWithoutTurns(*node.node, event.inputs);
    Finish(node, event, std::move(outputs));
    return SeeToReturned();  // this may have been the last of the body around it
  }
  RunBody(std::move(*first),
          {.caller = std::move(event), .args = {}, .results = {}, .in_condition = false, .depth = depth});
  SeeToReturned();
}

void Step::RunBody(BodyRun run, Call call) {
  const Node& caller = *NodeOf(call.caller).node;
  std::shared_ptr<const Body>& body = bodies_[PathInto(caller.name, run.called.label)];
  if (body == nullptr) {
    body = MakeBody(*program_->source->functions(), run.called, caller, program_->options, program_->find_kernel);
  }
  call.args = std::move(run.args);
  call.results.assign(static_cast<size_t>(body->step.num_slots), Token{.dead = true, .item = {}});
  call.in_condition = run.called.label == kConditionLabel;
  const FrameId around = call.caller.frame;
  Frames(graph_, config_).StartBody(around, body, std::move(call));
}

void Step::SeeToReturned() {
  while (!config_.returned.empty()) {
    Returned returned = std::move(config_.returned.back());
    config_.returned.pop_back();
    Call& call = returned.call;
    std::vector<Token> results;  // one per result of the body
    for (const int slot : returned.body->step.fetch_of) results.push_back(call.results[static_cast<size_t>(slot)]);
    call.results = std::move(results);
    const StepNode& node = NodeOf(call.caller);
    // A body without nodes and arguments changes nothing, however often it is run.
    const bool changes_nothing = CountsTurns(*node.node->op) && returned.body->step.nodes.empty();
    if (std::optional<BodyRun> next = changes_nothing ? std::nullopt : NextBody(*node.node, call)) {
      RunBody(std::move(*next), std::move(call));
    } else {
      std::vector<Token> outputs = ResultsOf(*node.node, call);
      Finish(node, call.caller, std::move(outputs));
    }
  }
}

// X2: a dead node does not run. X4: Send does, to say that it is dead, and Recv, to take the message.
std::vector<Token> Step::Outputs(Event& event) {
  const StepNode& node = NodeOf(event);
  if (node.rule == Rule::kSend) {
    if (!event.dead) event.inputs = PrepareInputs(*node.node, std::move(event.inputs));
    Send(node, event);
    return {};
  }
  if (node.rule == Rule::kRecv) {
    Token token = Received(*node.node, MessageKey(*node.node, event));
    if (!event.dead) return {std::move(token)};
  }
  if (event.dead) return DeadOutputs(node.rule == Rule::kFetch ? 0 : node.node->output_types.size());
  return LiveOutputs(node, event);
}

std::vector<Token> Step::LiveOutputs(const StepNode& node, Event& event) {
  switch (node.rule) {
    case Rule::kFeed:
      return {{.dead = false, .item = Fed(node, event)}};
    case Rule::kFetch:
      Fetch(node, event);
      return {};
    default:
      if (event.attempt == nullptr) event.inputs = PrepareInputs(*node.node, std::move(event.inputs));
      if (event.attempt == nullptr) DetachCopied(node, event.inputs);
  }
  switch (node.rule) {
    case Rule::kSwitch:
      return Switch(event.inputs, node.node->output_types.size());
    case Rule::kMerge:
      return Merge(event.inputs);
    case Rule::kEnter:
    case Rule::kExit:
    case Rule::kNextIteration:
      return Forward(event.inputs);
    default:
      return RunKernel(node, event, shared_, config_.step_resources, mode_);
  }
}

// An argument, inside a body.
Item Step::Fed(const StepNode& node, const Event& event) {
  const FrameId call = config_.frames.at(event.frame).call;
  if (call == kNoFrame) return {program_->in_pieces ? config_.fed.at(node.slot) : program_->feeds[node.slot], nullptr};
  return config_.frames.at(call).returns_to->args[node.slot];
}

// F28: a reference must be initialised when the fetch runs; what it refers to is read when the step is over. F30: a
// tensor inside a loop can be fetched once.
void Step::Fetch(const StepNode& node, const Event& event) {
  const FrameId call = config_.frames.at(event.frame).call;
  if (call != kNoFrame) {
    Token& result = config_.frames.at(call).returns_to->results[node.slot];
    if (!result.dead) throw Internal("the result ", node.slot, " of a call has already been set");
    const Item& item = event.inputs[0];
    result = {.dead = false, .item = item.ref != nullptr ? Item{item.ref->Read(node.node->name), nullptr} : item};
    return;
  }
  std::optional<Value>& fetched = config_.fetched[node.slot];
  if (fetched)
    throw Internal("the fetched output ", node.port, " of node '", node.node->name, "' has already been set");
  const Item& item = event.inputs[0];
  fetched = item.ref != nullptr ? item.ref->Read(node.node->name) : item.value;
}

// X4: the message says whether the sender was dead. A Recv that waited for it may now run. R36: what is sent is a copy.
void Step::Send(const StepNode& node, const Event& event) {
  const std::string key = MessageKey(*node.node, event);
  config_.messages[key].push_back(
      {.dead = event.dead, .item = event.dead ? Item() : Item{Detached(event.inputs[0].value), nullptr}});
  for (auto waiting = config_.receiving.begin(); waiting != config_.receiving.end(); ++waiting) {
    if (MessageKey(*NodeOf(*waiting).node, *waiting) != key) continue;
    config_.ready.push_back(std::move(*waiting));
    config_.receiving.erase(waiting);
    return;
  }
}

// W31: messages of one key come in the order in which they were sent. T5: the type is the one that is declared.
Token Step::Received(const Node& recv, const std::string& key) {
  const auto found = config_.messages.find(key);
  Token token = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) config_.messages.erase(found);
  const DType sent = token.item.value.tensor.dtype(), wanted = Base(recv.output_types[0]);
  if (!token.dead && sent != wanted) {
    throw Internal("output 0 of node '", recv.name, "' is declared as ", DTypeName(wanted), ", and was sent as ",
                   DTypeName(sent));
  }
  return token;
}

void Step::Feed(int slot, Value value) {
  config_.fed.insert_or_assign(slot, std::move(value));
  std::vector<Event>& unfed = config_.unfed;
  const auto fed =
      std::stable_partition(unfed.begin(), unfed.end(), [&](const Event& event) { return NodeOf(event).slot != slot; });
  std::move(fed, unfed.end(), std::back_inserter(config_.ready));
  unfed.erase(fed, unfed.end());
}

std::optional<Value> Step::FetchedSoFar(size_t fetch) const {
  const std::optional<Value>& value = config_.fetched[graph_.fetch_of[fetch]];
  if (!value) return std::nullopt;
  return Detached(*value);  // F29
}

void Step::Wake(bool all) {
  std::vector<Event>& parked = config_.parked;
  const auto woken = std::stable_partition(parked.begin(), parked.end(), [&](const Event& event) {
    return !all && !event.attempt->object->IsServed(event.attempt->ticket);
  });
  std::move(woken, parked.end(), std::back_inserter(config_.ready));
  parked.erase(woken, parked.end());
}

void Step::DropAttempts() {
  const auto drop = [](const std::shared_ptr<const Attempt>& attempt) {
    if (attempt != nullptr) attempt->object->Drop(attempt->ticket);
  };
  drop(std::exchange(firing_, nullptr));
  for (const Event& event : config_.parked) drop(event.attempt);
  for (const Event& event : config_.ready) drop(event.attempt);  // served, but not fetched
  config_.parked.clear();
  config_.ready.clear();
  config_.unfed.clear();
}

void Step::AddWaiting(std::vector<Waiting>& waiting) const {
  for (const Event& event : config_.parked) {
    const Node& node = *NodeOf(event).node;
    waiting.push_back({id_, node.name, node.op->name, event.attempt->object->WaitsFor(event.attempt->ticket)});
  }
}

void Step::AddTimed(std::vector<std::shared_ptr<const Attempt>>& timed) const {
  for (const Event& event : config_.parked) {
    const auto* const object = dynamic_cast<const Timed*>(event.attempt->object.get());
    if (object != nullptr && object->HasLimit(event.attempt->ticket)) timed.push_back(event.attempt);
  }
}

std::vector<Value> Step::Fetched() const {
  std::vector<Value> values;
  for (size_t i = 0; i < graph_.fetch_of.size(); ++i) {
    const int slot = graph_.fetch_of[i];
    const std::optional<Value>& value = config_.fetched[slot];
    if (!value) {
      throw InvalidArgument("Retval[", i, "] does not have value: the tensor '", NameOfFetch(graph_, slot),
                            "' is on a branch that was not taken");
    }
    values.push_back(Detached(*value));  // F29
    values.back().was_alias = value->source != nullptr;
  }
  return values;
}

}  // namespace plumb::reference
