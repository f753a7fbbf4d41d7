// Short ways to write graphs down in tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fastpath/compile/passes/prune.h"
#include "fastpath/session/fast_session.h"
#include "spec/graph/graph_def.h"

namespace plumb::fast {

class TestGraph {
 public:
  // Adds a node; returns its name.
  std::string Add(const std::string& name, const std::string& op, std::vector<std::string> inputs = {},
                  AttrMap attrs = {}, const std::string& device = "") {
    def_.nodes.push_back({name, op, std::move(inputs), device, std::move(attrs), ""});
    return name;
  }
  std::string Const(const std::string& name, Tensor value, std::vector<std::string> controls = {}) {
    const DType dtype = value.dtype();
    return Add(name, "Const", std::move(controls), {{"value", std::move(value)}, {"dtype", dtype}});
  }
  std::string Float(const std::string& name, float value, std::vector<std::string> controls = {}) {
    return Const(name, MakeScalar(value), std::move(controls));
  }
  std::string Int(const std::string& name, int32_t value, std::vector<std::string> controls = {}) {
    return Const(name, MakeScalar(value), std::move(controls));
  }
  std::string Bool(const std::string& name, bool value) { return Const(name, MakeScalar(value)); }
  std::string Placeholder(const std::string& name, DType dtype) {
    return Add(name, "Placeholder", {}, {{"dtype", dtype}});
  }
  // An op whose one type attribute is T.
  std::string Op(const std::string& name, const std::string& op, DType type, std::vector<std::string> inputs) {
    return Add(name, op, std::move(inputs), {{"T", type}});
  }
  std::string Merge(const std::string& name, DType type, std::vector<std::string> inputs, int data_inputs) {
    return Add(name, "Merge", std::move(inputs), {{"T", type}, {"N", data_inputs}});
  }
  std::string Enter(const std::string& name, DType type, std::vector<std::string> inputs, const std::string& frame,
                    bool is_constant = false, int parallel_iterations = 10) {
    return Add(name, "Enter", std::move(inputs),
               {{"T", type},
                {"frame_name", frame},
                {"is_constant", is_constant},
                {"parallel_iterations", parallel_iterations}});
  }
  // As if an older program had written it, for ops that were deprecated since.
  void SetProducer(int version) { def_.versions.producer = version; }
  const GraphDef& def() const { return def_; }

 private:
  GraphDef def_{{}, {kGraphVersion, 0, {}}, ""};
};

// The part of a graph that a request needs, as the passes see it.
inline StepGraph PruneFor(const TestGraph& graph, std::vector<std::string> feeds, std::vector<std::string> fetches,
                          std::vector<std::string> targets = {}) {
  auto loaded = std::make_shared<const Graph>(Graph::Load(graph.def()));
  const Request request = ResolveRequest(*loaded, feeds, fetches, targets);
  return Prune(std::move(loaded), request);
}
inline std::vector<std::string> NamesOf(const StepGraph& graph) {
  std::vector<std::string> names;
  for (const StepNode& node : graph.nodes) names.push_back(node.name);
  return names;
}
// The node of that name; throws when there is none.
inline const StepNode& NodeOf(const StepGraph& graph, const std::string& name) {
  for (const StepNode& node : graph.nodes) {
    if (node.name == name) return node;
  }
  throw NotFound("no node '", name, "'");
}

// A session over a graph, and the outcome of its steps.
class TestSession {
 public:
  explicit TestSession(const TestGraph& graph, SessionOptions options = {}) : session_(NewFastSession(options)) {
    status_ = session_->Extend(graph.def());
  }
  Session& operator*() { return *session_; }
  Session* operator->() { return session_.get(); }
  const Status& status() const { return status_; }  // of the last call

  std::vector<Tensor> Run(std::vector<Feed> feeds, std::vector<std::string> fetches,
                          std::vector<std::string> targets = {}) {
    std::vector<Tensor> outputs;
    if (status_.ok() || ran_) status_ = session_->Run(feeds, fetches, targets, &outputs);
    ran_ = true;
    return outputs;
  }
  // The code of a step.
  Code Try(std::vector<Feed> feeds, std::vector<std::string> fetches, std::vector<std::string> targets = {}) {
    Run(std::move(feeds), std::move(fetches), std::move(targets));
    return status_.code();
  }
  // The one scalar that a step gives; the status in place of it when it fails.
  template <class T>
  T Scalar(std::vector<Feed> feeds, const std::string& fetch, std::vector<std::string> targets = {}) {
    const auto outputs = Run(std::move(feeds), {fetch}, std::move(targets));
    if (!status_.ok()) throw Error(status_);
    return outputs.at(0).scalar<T>();
  }

 private:
  std::unique_ptr<Session> session_;
  Status status_;
  bool ran_ = false;
};

}  // namespace plumb::fast
