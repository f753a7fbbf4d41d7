// For tests: graphs around one queue of floats, and steps over them in one world.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/step/program.h"
#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"
#include "reference/world/world.h"

namespace plumb::reference {

// A queue "q" of scalars, and the ops on it by name: "close", "cancel" (closes at once), "size", "is_closed".
class QueueGraph : public TestGraph {
 public:
  explicit QueueGraph(int capacity) {
    Add("q", "FIFOQueueV2", {},
        {{"component_types", kTypes},
         {"shapes", std::vector<PartialShape>{PartialShape(Shape())}},
         {"capacity", capacity}});
    Add("close", "QueueCloseV2", {"q"}).Add("cancel", "QueueCloseV2", {"q"}, {{"cancel_pending_enqueues", true}});
    Add("size", "QueueSizeV2", {"q"}).Add("is_closed", "QueueIsClosedV2", {"q"});
  }
  QueueGraph& Put(const std::string& name, float value) {
    Const<float>(name + "/value", value).Add(name, "QueueEnqueueV2", {"q", name + "/value"}, {{"Tcomponents", kTypes}});
    return *this;
  }
  QueueGraph& PutMany(const std::string& name, std::vector<float> values) {
    Value(name + "/rows", MakeTensor<float>({std::ssize(values)}, std::span<const float>(values)));
    Add(name, "QueueEnqueueManyV2", {"q", name + "/rows"}, {{"Tcomponents", kTypes}});
    return *this;
  }
  QueueGraph& Take(const std::string& name) {
    Add(name, "QueueDequeueV2", {"q"}, {{"component_types", kTypes}});
    return *this;
  }
  QueueGraph& TakeMany(const std::string& name, int n) { return TakeBatch(name, "QueueDequeueManyV2", n); }
  QueueGraph& TakeUpTo(const std::string& name, int n) { return TakeBatch(name, "QueueDequeueUpToV2", n); }

 private:
  inline static const std::vector<DType> kTypes = {DType::kFloat};

  QueueGraph& TakeBatch(const std::string& name, std::string op, int n) {
    Const(name + "/n", n).Add(name, std::move(op), {"q", name + "/n"}, {{"component_types", kTypes}});
    return *this;
  }
};

// Steps over one graph.
class QueueWorld {
 public:
  explicit QueueWorld(const TestGraph& graph) : graph_(std::make_shared<const Graph>(Graph::Load(graph.def))) {}
  QueueWorld(const QueueWorld& other) : world(other.world->Clone()), graph_(other.graph_) {}

  StepId Start(std::vector<std::string> fetches, std::vector<std::string> targets = {}) {
    const StepRequest request{{}, std::move(fetches), std::move(targets)};
    return world->Start(MakeProgram(graph_, request, {}));
  }
  // Starts a step that runs this op, and runs the world as far as it goes.
  StepId Run(std::string target) {
    const StepId step = Start({}, {std::move(target)});
    world->RunAll(first_);
    return step;
  }
  StepId Fetch(std::string fetch) {
    const StepId step = Start({std::move(fetch)});
    world->RunAll(first_);
    return step;
  }
  bool Waits(StepId step) const { return !world->IsOver(step); }
  Code CodeOf(StepId step) { return world->Take(step).status.code(); }
  // What the step fetched; its code, negated, if it failed.
  std::vector<float> Floats(StepId step) {
    const StepOutcome outcome = world->Take(step);
    if (!outcome.status.ok()) return {-static_cast<float>(outcome.status.code())};
    std::vector<float> floats;
    for (const reference::Value& value : outcome.values) {
      for (const float element : value.tensor.data<float>()) floats.push_back(element);
    }
    return floats;
  }
  int32_t size() { return world->Take(Fetch("size")).values.at(0).tensor.scalar<int32_t>(); }
  bool is_closed() { return world->Take(Fetch("is_closed")).values.at(0).tensor.scalar<bool>(); }

  std::unique_ptr<World> world = std::make_unique<World>();

 private:
  FirstDriver first_;
  std::shared_ptr<const Graph> graph_;
};

}  // namespace plumb::reference
