#include "reference/step/frames.h"

#include <algorithm>

namespace plumb::reference {

const StepGraph& Frames::GraphOf(FrameId frame) const {
  const std::shared_ptr<const Body>& body = config_.frames.at(frame).body;
  return body == nullptr ? graph_ : body->step;
}

void Frames::StartNodes(FrameId id) {
  Iteration& iteration = config_.frames[id].iterations[0];
  const StepGraph& graph = GraphOf(id);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    const int number = static_cast<int>(i);
    if (node.data_inputs + node.control_inputs == 0) {
      MakeReady(number, ArrivalsAt(node, number, iteration), false, id, 0);
    }
  }
}

void Frames::StartBody(FrameId parent, std::shared_ptr<const Body> body, Call call) {
  const FrameId id = config_.next_frame++;
  Frame& frame = config_.frames[id];
  frame.name = GraphOf(parent).nodes[call.caller.node].node->name;
  frame.parent = parent;
  frame.body = std::move(body);
  frame.call = id;
  frame.returns_to = std::move(call);
  StartNodes(id);
  if (config_.frames.at(id).unfinished_of_call == 0) FinishBody(id);  // a body may have no nodes
}

void Frames::Propagate(const Event& event, std::vector<Token> outputs) {
  switch (GraphOf(event.frame).nodes[event.node].rule) {
    case Rule::kEnter:
      Enter(event, outputs);
      break;
    case Rule::kExit:
      Exit(event, outputs);
      break;
    case Rule::kNextIteration:
      NextIteration(event, std::move(outputs));
      break;
    default:
      Deliver(event.node, event.dead, outputs, event.frame, event.iteration);
  }
  FinishNode(event.frame, event.iteration);
}

// Gives every consumer of `node` its token, in edge order.
void Frames::Deliver(int node, bool dead, const std::vector<Token>& outputs, FrameId frame, int64_t iteration) {
  Iteration& where = config_.frames.at(frame).iterations.at(iteration);
  const StepGraph& graph = GraphOf(frame);
  for (const StepEdge& edge : graph.nodes[node].consumers) {
    const StepNode& consumer = graph.nodes[edge.consumer];
    Arrivals& arrivals = ArrivalsAt(consumer, edge.consumer, where);
    bool dead_data = false;
    if (edge.input < 0) {
      --arrivals.missing_control;
      arrivals.dead_control |= dead;  // X3: the deadness of the node, not of an output
    } else {
      const Token& token = outputs[edge.output];
      dead_data = token.dead;
      --arrivals.missing_data;
      ++(token.dead ? arrivals.dead_data : arrivals.live_data);
      if (!arrivals.fired) arrivals.data[edge.input] = token;
    }
    if (arrivals.fired) continue;
    if (consumer.rule == Rule::kMerge) {
      const bool dead_enter = dead_data && graph.nodes[node].rule == Rule::kEnter;
      DeliverToMerge(edge.consumer, arrivals, dead_enter, frame, iteration);
    } else if (arrivals.missing_data == 0 && arrivals.missing_control == 0) {                          // X1
      const bool fires_dead = arrivals.dead_data > 0 || arrivals.dead_control;                         // X2
      MakeReady(edge.consumer, arrivals, fires_dead && consumer.rule != Rule::kControlTrigger, frame,  // X5
                iteration);
    }
  }
}

// X32: a Merge waits for its control inputs, whose deadness does not matter, and for one live input or for all of them.
void Frames::DeliverToMerge(int node, Arrivals& arrivals, bool dead_enter, FrameId frame, int64_t iteration) {
  if (arrivals.missing_control > 0) return;
  if (arrivals.live_data > 0) {
    MakeReady(node, arrivals, false, frame, iteration);
  } else if (arrivals.missing_data == 0 || dead_enter) {  // X33: a dead Enter has no back edge to wait for
    MakeReady(node, arrivals, true, frame, iteration);
  }
}

Arrivals& Frames::ArrivalsAt(const StepNode& node, int number, Iteration& iteration) {
  const auto [entry, is_new] = iteration.arrivals.try_emplace(number);
  Arrivals& arrivals = entry->second;
  if (is_new) {
    arrivals.missing_data = node.data_inputs;
    arrivals.missing_control = node.control_inputs;
    arrivals.data.resize(arrivals.missing_data);
  }
  return arrivals;
}

// E1: first ready, first in the list.
void Frames::MakeReady(int node, Arrivals& arrivals, bool dead, FrameId frame, int64_t iteration) {
  Event event{.node = node, .frame = frame, .iteration = iteration, .dead = dead, .inputs = {}, .attempt = {}};
  for (std::optional<Token>& token : arrivals.data) {
    event.inputs.push_back(token && !token->dead ? std::move(token->item) : Item());
    token.reset();
  }
  arrivals.fired = true;
  Frame& where = config_.frames.at(frame);
  ++where.iterations.at(iteration).unfinished_nodes;
  if (where.call != kNoFrame) ++config_.frames.at(where.call).unfinished_of_call;
  config_.ready.push_back(std::move(event));
}

void Frames::Enter(const Event& event, const std::vector<Token>& outputs) {
  const FrameId child = ChildFrame(event);
  Frame& frame = config_.frames.at(child);
  if (GetAttr<bool>(GraphOf(event.frame).nodes[event.node].node->attrs, "is_constant")) {
    frame.constants.emplace_back(event.node, outputs[0]);  // X16: to every iteration, now and later
    for (int64_t i = 0; i <= frame.newest; ++i) {
      if (frame.iterations.contains(i)) Deliver(event.node, event.dead, outputs, child, i);
    }
  } else {
    Deliver(event.node, event.dead, outputs, child, 0);
  }
  --frame.missing_enters;
  RetireIterations(child, 0);
}

void Frames::Exit(const Event& event, const std::vector<Token>& outputs) {
  Frame& frame = config_.frames.at(event.frame);
  if (!event.dead) {
    const bool is_first = frame.live_exits.insert(event.node).second;
    if (is_first) Deliver(event.node, false, outputs, frame.parent, frame.parent_iteration);  // X19: at once
  } else if (event.iteration == frame.newest) {
    frame.dead_exits.push_back(event.node);  // X20
  }
}

void Frames::NextIteration(const Event& event, std::vector<Token> outputs) {
  if (event.dead) return;  // X18
  Frame& frame = config_.frames.at(event.frame);
  if (event.iteration == frame.newest) {
    if (static_cast<int64_t>(frame.iterations.size()) >= frame.parallel_iterations) {
      frame.queued.emplace_back(event.node, std::move(outputs[0]));  // X17
      return;
    }
    StartIteration(event.frame);
  }
  Deliver(event.node, false, outputs, event.frame, event.iteration + 1);
}

// X13: the instance of the Enter's frame in this parent iteration; the first Enter to complete creates it.
FrameId Frames::ChildFrame(const Event& event) {
  const StepGraph& graph = GraphOf(event.frame);
  const Node& node = *graph.nodes[event.node].node;
  const std::string& name = GetAttr<std::string>(node.attrs, "frame_name");
  const auto [entry, is_new] = config_.frame_of.try_emplace({event.frame, event.iteration, name}, config_.next_frame);
  if (is_new) {
    Frame& frame = config_.frames[config_.next_frame++];
    frame.name = name;
    frame.parent = event.frame;
    frame.parent_iteration = event.iteration;
    frame.parallel_iterations = GetAttr<int64_t>(node.attrs, "parallel_iterations");
    frame.missing_enters = graph.enters.at(name);
    frame.body = config_.frames.at(event.frame).body;
    frame.call = config_.frames.at(event.frame).call;
    frame.iterations[0];
    ++config_.frames.at(event.frame).iterations.at(event.iteration).unfinished_frames;
  }
  return entry->second;
}

void Frames::StartIteration(FrameId id) {
  Frame& frame = config_.frames.at(id);
  const int64_t iteration = ++frame.newest;
  frame.iterations[iteration];
  frame.dead_exits.clear();  // X20
  const auto queued = std::exchange(frame.queued, {});
  for (const auto& [node, token] : queued) Deliver(node, false, {token}, id, iteration);
  for (const auto& [node, token] : frame.constants) Deliver(node, token.dead, {token}, id, iteration);
}

void Frames::FinishNode(FrameId frame, int64_t iteration) {
  const FrameId call = config_.frames.at(frame).call;
  --config_.frames.at(frame).iterations.at(iteration).unfinished_nodes;
  RetireIterations(frame, iteration);
  if (call != kNoFrame && --config_.frames.at(call).unfinished_of_call == 0) FinishBody(call);
}

// X22: an iteration is done when nothing in it runs and nothing more can arrive; the next may then be done too.
void Frames::RetireIterations(FrameId id, int64_t iteration) {
  Frame& frame = config_.frames.at(id);
  while (frame.iterations.contains(iteration)) {
    const Iteration& current = frame.iterations.at(iteration);
    const bool idle = current.unfinished_nodes == 0 && current.unfinished_frames == 0;
    const bool no_more_input = iteration == 0 ? frame.missing_enters == 0 : !frame.iterations.contains(iteration - 1);
    if (!idle || !no_more_input) return;
    frame.iterations.erase(iteration++);
    if (!frame.queued.empty()) StartIteration(id);  // X17: room for the queued tokens
  }
  const bool is_loop = id != kRootFrame && id != frame.call;
  if (is_loop && frame.iterations.empty() && frame.missing_enters == 0) FinishFrame(id);
}

// X23: the frame's dead exits are delivered, and it may have been the last thing its parent iteration waited for.
void Frames::FinishFrame(FrameId id) {
  Frame frame = std::move(config_.frames.at(id));
  config_.frames.erase(id);
  config_.frame_of.erase({frame.parent, frame.parent_iteration, frame.name});
  for (const int exit : frame.dead_exits) {
    if (frame.live_exits.contains(exit)) continue;  // X19
    Deliver(exit, true, {Token{.dead = true, .item = {}}}, frame.parent, frame.parent_iteration);
  }
  --config_.frames.at(frame.parent).iterations.at(frame.parent_iteration).unfinished_frames;
  RetireIterations(frame.parent, frame.parent_iteration);
}

// FN5: a body is over as a step is (X8). Frames of it that lack a token are never done (X24), and end with it.
void Frames::FinishBody(FrameId call) {
  Frame& body = config_.frames.at(call);
  config_.returned.push_back({std::move(*body.returns_to), std::move(body.body)});
  std::erase_if(config_.frame_of, [&](const auto& entry) { return config_.frames.at(entry.second).call == call; });
  std::erase_if(config_.frames, [&](const auto& entry) { return entry.second.call == call; });
}

}  // namespace plumb::reference
