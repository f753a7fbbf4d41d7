// The backward loops of one gradient computation, and when the exits of each loop may be differentiated (rules D31,
// D35).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "client/control_flow/grad_loop.h"
#include "client/gradient_path.h"

namespace plumb {

class LoopGradients {
 public:
  // Makes a backward loop for every loop with an exit on the path, and puts all exits of those loops on it. Throws
  // kUnimplemented when the path leads through a backward loop (rule D37).
  LoopGradients(GraphBuilder& builder, GradientPath& path, const std::vector<Endpoint>& ys);

  // The backward loop in which the gradient of `node` is computed; null outside of loops. With `before`: in which the
  // gradients of its outputs arrive; the two differ for an Exit.
  GradLoop* LoopOf(NodeId node, bool before) const;

  // Exits that nobody differentiates through, of loops all of whose exits are such: to be fed with zeros.
  std::vector<Endpoint> UnusedExits(GradientPath& path, const std::vector<bool>& is_start);

  // An exit is ready: waits until all exits of its loop are. Then returns them: those that need zeros first get them
  // through `feed`. `has_gradient` tells whether an exit has received any gradient.
  std::vector<NodeId> DeferExit(Endpoint exit, const std::function<bool(NodeId)>& has_gradient,
                                const std::function<void(Endpoint)>& feed);

  // Zeros as the gradient of an exit (in the context around the backward loop), or of any other output that has none
  // (in the backward loop). None where a loop's Switch has none (D31).
  Endpoint ZerosForExit(Endpoint exit);
  GradientValue ZerosFor(Endpoint output);

  void Finish();

 private:
  struct Loop {
    GradLoop* grad = nullptr;
    std::vector<Endpoint> exits;  // those of the forward loop, without the counters that gradients added
    int pending_exits = 0;
    std::vector<Endpoint> unused_exits;
    std::vector<Endpoint> deferred_exits;
  };

  Loop* FindLoop(const WhileContext* forward);
  void AddLoop(NodeId exit, GradientPath& path);
  void RefuseSecondOrder(const GradientPath& path, const std::vector<Endpoint>& ys) const;
  GradLoop* GradOf(Context* context) const;
  GradientValue ZerosInLoop(GradLoop& loop, Endpoint output);

  GraphBuilder& builder_;
  Context* base_;
  std::vector<const WhileContext*> order_;
  std::map<const WhileContext*, Loop> loops_;
};

// Zeros for an output that is not in a differentiated loop. A conditional's Switch makes them on its other branch only.
GradientValue ZerosOutsideLoops(GraphBuilder& builder, Endpoint output);

}  // namespace plumb
