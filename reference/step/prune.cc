#include "reference/step/prune.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb::reference {
namespace {

struct Request {
  std::vector<Endpoint> feeds;
  std::vector<Endpoint> fetches;
  std::vector<NodeId> targets;
};

// G2, F5, F21: what feeds or fetches name, as existing outputs. `unknown` is the first that no node has: that is said
// when no other names an output which its node lacks.
std::vector<Endpoint> ResolveTensors(const Graph& graph, std::span<const std::string> texts, std::string_view role,
                                     std::string& unknown) {
  std::vector<Endpoint> tensors;
  for (const std::string& text : texts) {
    const TensorName name = ParseTensorName(text);
    const auto node = graph.Find(name.node);
    if (!node) {
      if (unknown.empty()) unknown = Str(role, " '", text, "': the graph has no node '", name.node, "'");
      continue;
    }
    const int outputs = static_cast<int>(graph.node(*node).output_types.size());
    if (name.control) throw OutOfRange(role, " '", text, "' names a control edge, which is no output; name a tensor");
    if (outputs == 0) throw OutOfRange(role, " '", text, "': the node produces no output; run it as a target");
    if (name.output >= outputs) {
      throw OutOfRange(role, " '", text, "': output index too large, the node has ", outputs, " outputs");
    }
    tensors.push_back({*node, name.output});
  }
  return tensors;
}

// F6, F7.
void CheckRepetitions(const Request& request, std::span<const std::string> feeds,
                      std::span<const std::string> fetches) {
  const auto all = request.feeds.begin();
  for (size_t i = 0; i < feeds.size(); ++i) {
    const auto before = all + static_cast<int64_t>(i);
    Require(std::find(all, before, *before) == before, "feed '", feeds[i], "' is fed more than once");
  }
  for (size_t i = 0; i < fetches.size(); ++i) {
    Require(std::find(all, request.feeds.end(), request.fetches[i]) == request.feeds.end(), "'", fetches[i],
            "' is both fed and fetched");
  }
}

// F4, F12: no handle outlives the step that made it.
void CheckFeedTypes(const Graph& graph, const Request& request, std::span<const std::string> names,
                    std::span<const DType> types) {
  for (size_t i = 0; i < names.size(); ++i) {
    const DType wanted = Base(graph.TypeOf(request.feeds[i]));
    Require(wanted != DType::kResource, "feed '", names[i], "': a resource handle cannot be fed");
    Require(types[i] == wanted, "feed '", names[i], "' is ", DTypeName(types[i]), ", but the tensor is ",
            DTypeName(wanted));
  }
}

// A text that is no name at all names no node either.
std::optional<NodeId> FindTarget(const Graph& graph, const std::string& text) {
  try {
    return graph.Find(ParseTensorName(text).node);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// F22: a port on a target is ignored; all missing names are listed.
std::vector<NodeId> ResolveTargets(const Graph& graph, std::span<const std::string> names) {
  std::vector<NodeId> targets;
  std::string missing;
  for (const std::string& text : names) {
    if (const auto node = FindTarget(graph, text)) {
      targets.push_back(*node);
    } else {
      missing += Str(missing.empty() ? "'" : ", '", text, "'");
    }
  }
  if (!missing.empty()) throw NotFound("Some target nodes not found: ", missing);
  return targets;
}

Request ResolveRequest(const Graph& graph, std::span<const std::string> feed_names, std::span<const DType> feed_types,
                       std::span<const std::string> fetches, std::span<const std::string> targets) {
  Require(!fetches.empty() || !targets.empty(), "Must specify at least one target or fetch to run");  // F20
  Request request;
  std::string unknown;
  request.feeds = ResolveTensors(graph, feed_names, "feed", unknown);
  request.fetches = ResolveTensors(graph, fetches, "fetch", unknown);
  Require(unknown.empty(), unknown);
  CheckRepetitions(request, feed_names, fetches);
  request.targets = ResolveTargets(graph, targets);
  CheckFeedTypes(graph, request, feed_names, feed_types);
  return request;
}

Rule RuleOf(const Node& node) {
  switch (node.op->kind) {
    case OpKind::kSwitch:
      return Rule::kSwitch;
    case OpKind::kMerge:
      return Rule::kMerge;
    case OpKind::kEnter:
      return Rule::kEnter;
    case OpKind::kExit:
      return Rule::kExit;
    case OpKind::kNextIteration:
      return Rule::kNextIteration;
    case OpKind::kControlTrigger:
      return Rule::kControlTrigger;
    case OpKind::kSend:
      return Rule::kSend;
    case OpKind::kRecv:
      return Rule::kRecv;
    default:
      return IsCall(node.op->kind) ? Rule::kCall : Rule::kKernel;
  }
}

// Builds the step's graph: marks what is needed, then numbers it, then joins it.
class Wiring {
 public:
  Wiring(const Graph& graph, const Request& request) : graph_(graph), request_(request) {
    feed_needed_.resize(request.feeds.size());
    node_needed_.resize(graph.size());
    number_.resize(graph.size(), -1);
  }

  StepGraph Build() {
    MarkNeeded();
    result_.frames = CheckFrames(graph_, Visible(), {request_.feeds.begin(), request_.feeds.end()});  // X11, X12, F10
    AddFeeds();
    AddNodes();
    AddFetches();
    for (StepNode& node : result_.nodes) {
      if (node.rule != Rule::kFeed && node.rule != Rule::kFetch) ConnectInputs(node);
    }
    ConnectFetches();
    return std::move(result_);
  }

 private:
  // The feed that stands for a tensor (rule F1), or -1.
  int FeedOf(Endpoint tensor) const {
    const auto found = std::find(request_.feeds.begin(), request_.feeds.end(), tensor);
    return found == request_.feeds.end() ? -1 : static_cast<int>(found - request_.feeds.begin());
  }
  // F2: the control edges of a fed Placeholder move to the feed; those of any other fed node stay.
  int FeedOfControl(NodeId before) const {
    const Node& node = graph_.node(before);
    return node.op->kind == OpKind::kPlaceholder ? FeedOf({before, 0}) : -1;
  }

  void Need(NodeId node) {
    if (node_needed_[Index(node)]) return;
    node_needed_[Index(node)] = true;
    pending_.push_back(node);
  }
  void Need(Endpoint tensor) {
    const int feed = FeedOf(tensor);
    if (feed >= 0)
      feed_needed_[feed] = true;
    else
      Need(tensor.node);
  }

  // F23; F8: a feed that is not needed is ignored; F24: a target runs even when it is fed.
  void MarkNeeded() {
    for (const Endpoint fetch : request_.fetches) Need(fetch);
    for (const NodeId target : request_.targets) Need(target);
    while (!pending_.empty()) {
      const Node& node = graph_.node(pending_.back());
      pending_.pop_back();
      for (const Endpoint input : node.inputs) Need(input);
      for (const NodeId before : node.control_inputs) {
        const int feed = FeedOfControl(before);
        if (feed >= 0)
          feed_needed_[feed] = true;
        else
          Need(before);
      }
    }
  }

  // The needed nodes, and the fed Placeholders whose control edges the feeds take over.
  std::vector<bool> Visible() const {
    std::vector<bool> visible = node_needed_;
    for (size_t i = 0; i < request_.feeds.size(); ++i) {
      const NodeId fed = request_.feeds[i].node;
      if (feed_needed_[i] && FeedOfControl(fed) >= 0) visible[Index(fed)] = true;
    }
    return visible;
  }

  void AddFeeds() {
    feed_number_.resize(request_.feeds.size(), -1);
    for (size_t i = 0; i < request_.feeds.size(); ++i) {
      if (!feed_needed_[i]) continue;
      feed_number_[i] = static_cast<int>(result_.nodes.size());
      const Endpoint fed = request_.feeds[i];
      result_.nodes.push_back({.rule = Rule::kFeed,
                               .node = &graph_.node(fed.node),
                               .port = fed.output,
                               .slot = static_cast<int>(i),
                               .consumers = {}});
    }
  }

  void AddNodes() {
    for (const Node& node : graph_.nodes()) {
      if (!node_needed_[Index(node.id)]) continue;
      number_[Index(node.id)] = static_cast<int>(result_.nodes.size());
      StepNode step_node{.rule = RuleOf(node), .node = &node, .consumers = {}};
      if (step_node.rule == Rule::kEnter) ++result_.enters[GetAttr<std::string>(node.attrs, "frame_name")];
      result_.nodes.push_back(std::move(step_node));
    }
  }

  void AddFetches() {
    std::vector<Endpoint> distinct;
    for (const Endpoint fetch : request_.fetches) {
      const auto found = std::find(distinct.begin(), distinct.end(), fetch);
      result_.fetch_of.push_back(static_cast<int>(found - distinct.begin()));
      if (found != distinct.end()) continue;
      result_.nodes.push_back({.rule = Rule::kFetch,
                               .node = &graph_.node(fetch.node),
                               .port = fetch.output,
                               .slot = static_cast<int>(distinct.size()),
                               .consumers = {}});
      distinct.push_back(fetch);
    }
    result_.num_slots = static_cast<int>(distinct.size());
  }

  void ConnectInputs(StepNode& consumer) {
    const int to = static_cast<int>(&consumer - result_.nodes.data());
    for (const Endpoint input : consumer.node->inputs) {
      const int feed = FeedOf(input);
      StepNode& from = result_.nodes[feed >= 0 ? feed_number_[feed] : number_[Index(input.node)]];
      from.consumers.push_back({to, consumer.data_inputs++, feed >= 0 ? 0 : input.output});
    }
    for (const NodeId before : consumer.node->control_inputs) {
      const int feed = FeedOfControl(before);
      StepNode& from = result_.nodes[feed >= 0 ? feed_number_[feed] : number_[Index(before)]];
      from.consumers.push_back({to, -1, -1});
      ++consumer.control_inputs;
    }
  }

  void ConnectFetches() {
    for (size_t to = 0; to < result_.nodes.size(); ++to) {
      StepNode& fetch = result_.nodes[to];
      if (fetch.rule != Rule::kFetch) continue;
      fetch.data_inputs = 1;
      const int feed = FeedOf({fetch.node->id, fetch.port});  // a result that is an argument
      StepNode& from = result_.nodes[feed >= 0 ? feed_number_[feed] : number_[Index(fetch.node->id)]];
      from.consumers.push_back({static_cast<int>(to), 0, feed >= 0 ? 0 : fetch.port});
    }
  }

  const Graph& graph_;
  const Request& request_;
  std::vector<bool> feed_needed_, node_needed_;
  std::vector<NodeId> pending_;
  std::vector<int> feed_number_, number_;  // position in the step's graph, or -1
  StepGraph result_;
};

}  // namespace

StepGraph Prune(const Graph& graph, std::span<const std::string> feed_names, std::span<const DType> feed_types,
                std::span<const std::string> fetches, std::span<const std::string> targets) {
  const Request request = ResolveRequest(graph, feed_names, feed_types, fetches, targets);
  return Wiring(graph, request).Build();
}

StepGraph PruneBody(const Graph& graph, const FunctionBody& body) {
  Request request;
  for (const NodeId arg : body.args) request.feeds.push_back({arg, 0});
  request.fetches = body.results;
  request.targets = body.effects;
  return Wiring(graph, request).Build();
}

}  // namespace plumb::reference
