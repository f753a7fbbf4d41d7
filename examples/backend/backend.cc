// A backend of a dozen ops: an interpreter behind plumb_backend.h.
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "kernels.h"
#include "plumb_backend.h"

namespace {

// "x:0" → {"x", 0}; "^x" and "x" → {"x", 0}.
struct Endpoint {
  std::string node;
  int64_t output = 0;
};
Endpoint ParseEndpoint(std::string_view text) {
  if (text.starts_with('^')) return {std::string(text.substr(1))};
  const size_t colon = text.rfind(':');
  const bool has_output = colon != text.npos && colon + 1 < text.size() && text.size() - colon < 8 &&
                          text.find_first_not_of("0123456789", colon + 1) == text.npos;
  if (!has_output) return {std::string(text)};
  return {std::string(text.substr(0, colon)), std::stoll(std::string(text.substr(colon + 1)))};
}
std::string_view View(const PlumbString& text) { return {text.data, text.size}; }

using Graph = std::map<std::string, Node>;

const Node& FindNode(const Graph& graph, const std::string& name, int32_t code) {
  const auto found = graph.find(name);
  if (found == graph.end()) throw Refused(code, "there is no node '" + name + "'");
  return found->second;
}

// Of one step: the values that have been computed.
class Step {
 public:
  Step(const Graph& graph, const PlumbStep& step) : graph_(graph) {
    for (uint64_t i = 0; i < step.feed_count; ++i) Feed(step.feeds[i]);
    for (uint64_t i = 0; i < step.fetch_count; ++i) {
      const Endpoint fetch = ParseEndpoint(View(step.fetches[i]));
      const Node& node = FindNode(graph, fetch.node, PLUMB_NOT_FOUND);
      const bool is_there = fetch.output == 0 && node.op != "NoOp";
      if (!is_there) throw Refused(PLUMB_INVALID_ARGUMENT, "'" + node.name + "' has no such output");
    }
    for (uint64_t i = 0; i < step.target_count; ++i) {
      FindNode(graph, ParseEndpoint(View(step.targets[i])).node, PLUMB_NOT_FOUND);
    }
    if (step.fetch_count + step.target_count == 0) {
      throw Refused(PLUMB_INVALID_ARGUMENT, "a step needs a fetch or a target");
    }
  }

  // The value of a node's only output as others see it: what it is fed with, or else what it computes.
  const Value* ValueOf(const Node& node) {
    const auto fed = fed_.find(node.name);
    return fed == fed_.end() ? Run(node) : &fed->second;
  }

  // Runs the node, after its inputs, whether its output is fed or not: so targets and control edges ask for it. Null
  // when it has no output.
  const Value* Run(const Node& node) {
    const auto known = values_.find(node.name);
    if (known != values_.end()) return &known->second;
    if (!begun_.insert(node.name).second) {
      if (node.op == "NoOp") return nullptr;
      throw Refused(PLUMB_INVALID_ARGUMENT, "node '" + node.name + "' is part of a cycle");
    }
    Inputs inputs;
    for (const std::string& text : node.inputs) {
      const Node& input = FindNode(graph_, ParseEndpoint(text).node, PLUMB_INVALID_ARGUMENT);
      if (text.starts_with('^')) {
        if (!IsCutByFeed(input)) Run(input);
      } else {
        inputs.push_back(ValueOf(input));
      }
    }
    return Compute(node, inputs);
  }

 private:
  // A fed placeholder is not waited for either.
  bool IsCutByFeed(const Node& node) const { return fed_.contains(node.name) && node.op == "Placeholder"; }

  const Value* Compute(const Node& node, const Inputs& inputs) {
    const Kernel* const kernel = FindKernel(node.op);
    if (kernel == nullptr || (!kernel->types.empty() && !Takes(*kernel, node.type()))) {
      throw Refused(PLUMB_NOT_FOUND, "no kernel for node '" + node.name + "' (" + node.op + ") with its types", true);
    }
    if (kernel->types.empty()) return nullptr;
    if (kernel->compute == nullptr) {
      throw Refused(PLUMB_INVALID_ARGUMENT, "the placeholder '" + node.name + "' is not fed");
    }
    CheckInputs(node, *kernel, inputs);
    return &values_.emplace(node.name, kernel->compute(node, inputs)).first->second;
  }

  static void CheckInputs(const Node& node, const Kernel& kernel, const Inputs& inputs) {
    bool fits = inputs.size() == kernel.inputs;
    for (size_t i = 0; fits && i < inputs.size(); ++i) {
      const int32_t type = inputs[i] == nullptr ? 0 : inputs[i]->dtype;
      fits = i < kernel.typed ? type == node.type() : type == PLUMB_INT32 || type == PLUMB_INT64;
    }
    if (!fits) throw Refused(PLUMB_INVALID_ARGUMENT, "the inputs of '" + node.name + "' are not those of its op");
  }

  void Feed(const PlumbFeed& feed) {
    const Node& node = FindNode(graph_, ParseEndpoint(View(feed.name)).node, PLUMB_NOT_FOUND);
    if (feed.value.dtype != node.type()) {
      throw Refused(PLUMB_INVALID_ARGUMENT, "the feed of '" + node.name + "' is of another type");
    }
    if (WidthOf(feed.value.dtype) == 0) {
      throw Refused(PLUMB_NOT_FOUND, "no values of the type that '" + node.name + "' is fed with", true);
    }
    Value value{feed.value.dtype, {feed.value.dims, feed.value.dims + feed.value.rank}, {}};
    const auto* bytes = static_cast<const uint8_t*>(feed.value.data);
    value.bytes.assign(bytes, bytes + feed.value.bytes);
    if (!fed_.emplace(node.name, std::move(value)).second) {
      throw Refused(PLUMB_INVALID_ARGUMENT, "'" + node.name + "' is fed twice");
    }
  }

  const Graph& graph_;
  std::map<std::string, Value> fed_, values_;
  std::set<std::string> begun_;
};

// What the body throws becomes a code, with its message where the host looks for it.
template <class Body>
int32_t Guarded(PlumbError* error, const Body& body) noexcept {
  int32_t code = PLUMB_RESOURCE_EXHAUSTED;
  try {
    body();
    return PLUMB_OK;
  } catch (const Refused& refused) {
    code = refused.code;
    error->reason = refused.no_kernel ? PLUMB_REASON_NO_KERNEL : PLUMB_REASON_OTHER;
    std::snprintf(error->message, error->capacity, "%s", refused.what());
  } catch (const std::exception& other) {
    std::snprintf(error->message, error->capacity, "%s", other.what());
  }
  return code;
}

}  // namespace

// One step at a time: nothing here waits for another step.
struct PlumbSession {
  std::mutex mutex;
  Graph graph;
  bool is_closed = false;

  void CheckOpen() const {
    if (is_closed) throw Refused(PLUMB_CANCELLED, "the session has been closed");
  }
};

namespace {

int32_t HasKernel(const char* op, const PlumbAttrType* types, uint64_t count) noexcept {
  const Kernel* const kernel = FindKernel(op);
  if (kernel == nullptr) return 0;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view attr = types[i].attr;
    if ((attr == "T" || attr == "dtype") && !Takes(*kernel, types[i].dtype)) return 0;
  }
  return 1;
}

int32_t Create(const PlumbOptions*, PlumbSession** session, PlumbError* error) noexcept {
  return Guarded(error, [&] { *session = new PlumbSession; });
}
void Destroy(PlumbSession* session) noexcept { delete session; }

int32_t Extend(PlumbSession* session, const void* graph_def, uint64_t bytes, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    const std::lock_guard lock(session->mutex);
    session->CheckOpen();
    Graph graph = session->graph;
    for (Node& node : ParseGraphDef({static_cast<const char*>(graph_def), bytes})) {
      const std::string name = node.name;
      if (!graph.emplace(name, std::move(node)).second) {
        throw Refused(PLUMB_INVALID_ARGUMENT, "there are two nodes '" + name + "'");
      }
    }
    session->graph = std::move(graph);
  });
}

int32_t Run(PlumbSession* session, const PlumbStep* request, PlumbSink sink, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    const std::lock_guard lock(session->mutex);
    session->CheckOpen();
    Step step(session->graph, *request);
    for (uint64_t i = 0; i < request->target_count; ++i) {
      step.Run(session->graph.at(ParseEndpoint(View(request->targets[i])).node));
    }
    for (uint64_t i = 0; i < request->fetch_count; ++i) {
      const Value& value = *step.ValueOf(session->graph.at(ParseEndpoint(View(request->fetches[i])).node));
      const PlumbTensor lent{value.dtype, static_cast<int32_t>(value.dims.size()), value.dims.data(),
                             value.bytes.data(), value.bytes.size()};
      if (sink.output(sink.host, i, &lent) != 0) throw Refused(PLUMB_UNKNOWN, "the host refused a value");
    }
  });
}

// There are no variables.
int32_t Reset(PlumbSession*, const PlumbString*, uint64_t, PlumbError*) noexcept { return PLUMB_OK; }

int32_t Close(PlumbSession* session, PlumbError*) noexcept {
  const std::lock_guard lock(session->mutex);
  session->is_closed = true;
  return PLUMB_OK;
}

}  // namespace

const PlumbBackend* plumb_backend() {
  static const PlumbBackend functions = {PLUMB_BACKEND_VERSION,
                                         sizeof(PlumbBackend),
                                         HasKernel,
                                         Create,
                                         Destroy,
                                         Extend,
                                         Run,
                                         Reset,
                                         Close,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};
  return &functions;
}
