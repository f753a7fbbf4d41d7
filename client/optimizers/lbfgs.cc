// L-BFGS without a line search (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 7.5): the direction is
// the gradient times an inverse Hessian that the last few steps tell, in two loops over these.
#include <algorithm>

#include "client/dimensions.h"
#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class LbfgsOptimizer : public Optimizer {
 public:
  explicit LbfgsOptimizer(const LbfgsOptions& options) : options_(options) {
    Require(options.history > 0, "L-BFGS needs a history of at least one step, not ", options.history);
  }

 protected:
  std::string name() const override { return "lbfgs"; }
  void Prepare(Scope&) override { parts_.clear(); }

  // Nothing moves before all gradients are there.
  NodeId ApplyDense(Scope&, const Variable& variable, Endpoint gradient) override {
    Require(parts_.empty() || parts_[0].variable.dtype() == variable.dtype(),
            "L-BFGS needs variables of one type, not '", parts_.empty() ? "" : parts_[0].variable.name(), "' and '",
            variable.name(), "' of two");
    parts_.push_back({variable, gradient, variable.shape().ToShape().elements()});
    return gradient.node;
  }

  std::vector<NodeId> Finish(Scope& scope, const std::vector<NodeId>&) override {
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.variable.ref().node() < b.variable.ref().node(); });
    const DType dtype = parts_[0].variable.dtype();
    std::vector<Output> gradients, values;
    for (const Part& part : parts_) {
      // A gradient's own shape may be unknown before the run, as that of slices is.
      const Output size = Constant<int64_t>(scope, {part.size});
      gradients.push_back(scope.Call("Reshape", {Output{&scope.builder(), part.gradient}, size}));
      values.push_back(Flat(scope, part.variable.value()));
    }
    const Output gradient = Joined(scope, gradients), value = Joined(scope, values);
    const Memory memory = MakeMemory(scope, dtype);
    const History history = Remember(scope, memory, value, gradient);
    const Output rate = Number(scope, options_.learning_rate, dtype) * FirstStepScale(scope, memory, gradient);
    const Output moved = value - rate * Direction(scope, history, gradient);
    return Store(scope, memory, history, value, gradient, moved);
  }

 private:
  struct Part {
    Variable variable;
    Endpoint gradient;
    int64_t size;
  };
  // The last weights and gradient; the steps and changes of gradients before them, oldest first, [history, size], and
  // 1 / (step · change) for each, 0 where there was none; how many updates there have been.
  struct Memory {
    Variable value, gradient, steps, changes, inverses, count;
  };
  struct History {
    Output steps, changes, inverses, scale;
  };

  static Output Joined(Scope& scope, std::vector<Output> parts) {
    if (parts.size() == 1) return parts[0];
    const auto count = static_cast<int64_t>(parts.size());
    parts.push_back(Constant(scope, int32_t{0}));
    return scope.Call("ConcatV2", parts, {{"N", count}});
  }
  static Output Dot(Scope& scope, Output a, Output b) {
    return scope.Call("Sum", {a * b, Constant<int32_t>(scope, {0})});
  }
  static Output Row(Scope& scope, Output matrix, int row) {
    return scope.Call("GatherV2", {matrix, Constant(scope, row), Constant(scope, int32_t{0})});
  }

  // That of these variables together.
  Memory MakeMemory(Scope& scope, DType dtype) {
    int64_t size = 0;
    std::string variables;
    for (const Part& part : parts_) {
      size += part.size;
      variables += " " + part.variable.name();
    }
    const auto make = [&](const char* name, DType type, const Shape& shape) {
      return MadeOnce(scope, Str(name, " of", variables), [&] {
        return MakeVariable(scope, Filled(scope, type, shape, 0), {.name = name, .trainable = false});
      });
    };
    return {make("last_value", dtype, {size}),
            make("last_gradient", dtype, {size}),
            make("steps", dtype, {options_.history, size}),
            make("changes", dtype, {options_.history, size}),
            make("inverses", dtype, {options_.history}),
            make("count", DType::kInt64, {})};
  }

  // Without its oldest row, with a new one.
  static Output Shifted(Scope& scope, Output rows, Output newest) {
    const Output row = scope.Call("ExpandDims", {newest, Constant(scope, int32_t{0})});
    const int rank = rows.shape().rank();
    const Output begin = rank == 1 ? Constant<int32_t>(scope, {1}) : Constant<int32_t>(scope, {1, 0});
    const Output size = rank == 1 ? Constant<int32_t>(scope, {-1}) : Constant<int32_t>(scope, {-1, -1});
    const Output kept = scope.Call("Slice", {rows, begin, size});
    return scope.Call("ConcatV2", {kept, row, Constant(scope, int32_t{0})}, {{"N", int64_t{2}}});
  }

  // The history with the step that led here, unless there was none or the loss did not curve upwards along it: then it
  // stays as it is, for the inverse Hessian has to be positive. Close to the bottom the curve underflows. Where its
  // inverse is finite, a product that does so is wrong by no more than a rounding once it is multiplied by the inverse.
  static History Remember(Scope& scope, const Memory& memory, Output value, Output gradient) {
    const Output step = value - memory.value.value(), change = gradient - memory.gradient.value();
    const Output curve = Dot(scope, step, change);
    const Output inverse = scope.Call("Reciprocal", {curve});
    const Output has_step = scope.Call("Greater", {memory.count.value(), Constant(scope, int64_t{0})});
    const Output curves_up = scope.Call("LogicalAnd", {inverse > 0, scope.Call("IsFinite", {inverse})});
    const Output counts = scope.Call("LogicalAnd", {has_step, curves_up});
    const auto chosen = [&](Output changed, Output old) { return scope.Call("SelectV2", {counts, changed, old}); };
    History history;
    history.steps = chosen(Shifted(scope, memory.steps, step), memory.steps);
    history.changes = chosen(Shifted(scope, memory.changes, change), memory.changes);
    history.inverses = chosen(Shifted(scope, memory.inverses, inverse), memory.inverses);
    history.scale = Scale(scope, history);
    return history;
  }

  // step · change / |change|² of the last step, the size of the inverse Hessian; 1 while there is none, and where the
  // change is too small to tell it.
  static Output Scale(Scope& scope, const History& history) {
    const int last = static_cast<int>(history.steps.shape().dim(0)) - 1;
    const Output step = Row(scope, history.steps, last), change = Row(scope, history.changes, last);
    const Output square = Dot(scope, change, change);
    const Output one = Constant(scope, ScalarTensor(1, square.dtype()));
    const Output quotient = Dot(scope, step, change) / square;
    return scope.Call("SelectV2", {scope.Call("IsFinite", {quotient}), quotient, one});
  }

  // The inverse Hessian times the gradient.
  Output Direction(Scope& scope, const History& history, Output gradient) const {
    std::vector<Output> weights(options_.history);
    Output direction = gradient;
    for (int i = options_.history - 1; i >= 0; --i) {
      weights[i] = Row(scope, history.inverses, i) * Dot(scope, Row(scope, history.steps, i), direction);
      direction = direction - weights[i] * Row(scope, history.changes, i);
    }
    direction = direction * history.scale;
    for (int i = 0; i < options_.history; ++i) {
      const Output back = Row(scope, history.inverses, i) * Dot(scope, Row(scope, history.changes, i), direction);
      direction = direction + (weights[i] - back) * Row(scope, history.steps, i);
    }
    return direction;
  }

  // The first step knows nothing of the loss's curve: its length is at most the rate.
  static Output FirstStepScale(Scope& scope, const Memory& memory, Output gradient) {
    const Output one = Constant(scope, ScalarTensor(1, gradient.dtype()));
    const Output length = scope.Call("Sum", {scope.Call("Abs", {gradient}), Constant<int32_t>(scope, {0})});
    const Output first = scope.Call("Reciprocal", {scope.Call("Maximum", {length, one})});
    const Output is_first = scope.Call("Equal", {memory.count.value(), Constant(scope, int64_t{0})});
    return scope.Call("SelectV2", {is_first, first, one});
  }

  // Everything new is computed before anything old is overwritten, and the last weights are kept before the variables,
  // which they may be aliases of, move.
  std::vector<NodeId> Store(Scope& scope, const Memory& memory, const History& history, Output value, Output gradient,
                            Output moved) const {
    std::vector<NodeId> kept;
    {
      const auto after =
          scope.After({moved.node(), history.steps.node(), history.changes.node(), history.inverses.node()});
      const auto keep = [&](const Variable& variable, Output now) {
        kept.push_back(scope.Add("Assign", {variable.ref(), now}));
      };
      keep(memory.value, value);
      keep(memory.gradient, gradient);
      keep(memory.steps, history.steps);
      keep(memory.changes, history.changes);
      keep(memory.inverses, history.inverses);
      kept.push_back(scope.Add("AssignAdd", {memory.count.ref(), Constant(scope, int64_t{1})}));
    }
    const auto after = scope.After(kept);
    return Move(scope, moved);
  }

  // Each variable's piece of the weights.
  std::vector<NodeId> Move(Scope& scope, Output moved) const {
    std::vector<NodeId> moves;
    int64_t begin = 0;
    for (const Part& part : parts_) {
      const Output first = Constant<int64_t>(scope, {begin}), size = Constant<int64_t>(scope, {part.size});
      const Output piece = scope.Call("Slice", {moved, first, size});
      const Output shape = scope.Call("Shape", {part.variable});
      moves.push_back(scope.Add("Assign", {part.variable.ref(), scope.Call("Reshape", {piece, shape})}));
      begin += part.size;
    }
    return moves;
  }

  LbfgsOptions options_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Optimizer> Lbfgs(const LbfgsOptions& options) { return std::make_unique<LbfgsOptimizer>(options); }

}  // namespace plumb
