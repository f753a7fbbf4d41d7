#include "client/control_flow/control_flow_gradient.h"

#include "client/control_flow/grad_loop.h"
#include "client/zeros.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

WhileContext* CurrentLoop(const GraphBuilder& builder) { return EnclosingWhile(CurrentContext(builder)); }
GradLoop* CurrentGradLoop(const GraphBuilder& builder) {
  const WhileContext* loop = CurrentLoop(builder);
  return loop == nullptr ? nullptr : loop->grad_loop();
}

Endpoint MergeTwo(GraphBuilder& builder, Endpoint if_false, Endpoint if_true) {
  return NamedCall(builder, "Merge", {if_false, if_true}, {}, "cond_grad");
}

// D20: the gradients from both branches meet. Slices and dense ones meet as slices.
GradientValue MergeBranches(GraphBuilder& builder, Values branches) {
  using Kind = GradientValue::Kind;
  if (branches[0].kind == Kind::kDense && branches[1].kind == Kind::kDense) {
    return MergeTwo(builder, branches[0].values, branches[1].values);
  }
  for (GradientValue& branch : branches) branch = AsSlices(builder, branch);
  UnifyIndexTypes(builder, branches);
  return GradientValue::Sparse(MergeTwo(builder, branches[0].values, branches[1].values),
                               MergeTwo(builder, branches[0].indices, branches[1].indices),
                               MergeTwo(builder, branches[0].dense_shape, branches[1].dense_shape));
}

// Both sides of a Switch of the gradient.
Values SplitByPredicate(GraphBuilder& builder, const GradientValue& dy, Endpoint predicate) {
  Values sides(2);
  for (const int side : {0, 1}) {
    sides[side] = MapParts(dy, [&](Endpoint part) { return SwitchTo(builder, part, predicate, side, "cond_grad"); });
  }
  return sides;
}

// D31: visited twice, from the exit side first and then from the body.
Values LoopSwitchGradient(GraphBuilder& builder, NodeId id, const Values& dys) {
  GradLoop* loop = CurrentGradLoop(builder);
  if (loop == nullptr) return {GradientValue::None(), GradientValue::None()};
  const auto merge = loop->switch_merges().find(id);
  if (merge != loop->switch_merges().end()) {
    if (!dys[1].IsNone()) loop->backward()->CloseLoop(builder, merge->second, Densify(builder, dys[1]));
    return {GradientValue::None(), GradientValue::None()};
  }
  if (dys[0].IsNone()) return {GradientValue::None(), GradientValue::None()};
  const Endpoint from_exit = dys[0].values;
  const Endpoint provisional = NamedCall(builder, "Merge", {from_exit, from_exit}, {}, "b_switch");
  // What is known of the loop variable holds in every iteration.
  builder.set_shape(provisional, builder.shape(builder.graph().node(id).inputs[0]));
  loop->switch_merges().emplace(id, provisional);
  return {provisional, GradientValue::None()};
}

// Zeros of the shape of the variable behind a Switch of its handle, live where that side of the conditional was taken.
GradientValue ZerosBehindHandle(GraphBuilder& builder, NodeId id, const CondContext& cond, int side, DType dtype) {
  const Endpoint handle = builder.graph().node(id).inputs[0];
  GradLoop* loop = CurrentGradLoop(builder);
  if (loop == nullptr) {
    const Endpoint there = SwitchTo(builder, handle, cond.predicate(), side);
    const Endpoint pivot = builder.Call("Identity", {there}), shape = builder.Call("VariableShape", {there});
    const GraphBuilder::ControlScope after(builder, {pivot.node});
    return ZerosOf(builder, shape, dtype);
  }
  Endpoint forward_shape;
  {
    InContext around(builder, ContextOf(builder, id)->outer());
    forward_shape = builder.Call("VariableShape", {handle});
  }
  const Endpoint shape = loop->Pop(loop->Push(forward_shape), forward_shape);
  return SwitchTo(builder, ZerosOf(builder, shape, dtype), loop->BackwardPredicate(cond), side);
}

// A handle that one branch alone has read has no gradient in the other one, where its variable's is zero. Of a Switch
// that no conditional made the zeros are live in any case; its sides are told apart by who asks for them.
Values WithZerosOfHandle(GraphBuilder& builder, NodeId id, const CondContext* cond, Values dys) {
  const Endpoint handle = builder.graph().node(id).inputs[0];
  const bool is_handle = Base(builder.dtype(handle)) == DType::kResource;
  if (!is_handle || dys[0].IsNone() == dys[1].IsNone()) return dys;
  const int missing = dys[0].IsNone() ? 0 : 1;
  const DType dtype = builder.dtype(dys[1 - missing].values);
  dys[missing] = cond != nullptr ? ZerosBehindHandle(builder, id, *cond, missing, dtype)
                                 : ZerosOf(builder, builder.Call("VariableShape", {handle}), dtype);
  return dys;
}

Values SwitchGradient(GraphBuilder& builder, NodeId id, const Values& given) {
  Context* context = ContextOf(builder, id);
  if (context != nullptr && context->AsWhile() != nullptr) return LoopSwitchGradient(builder, id, given);
  const Values dys = WithZerosOfHandle(builder, id, context == nullptr ? nullptr : context->AsCond(), given);
  if (context != nullptr) {
    if (dys[0].IsNone() || dys[1].IsNone()) return {GradientValue::None(), GradientValue::None()};
    return {MergeBranches(builder, dys), GradientValue::None()};
  }
  // A Switch that no conditional made: each side's gradient arrives only when that side was taken.
  const Endpoint predicate = builder.graph().node(id).inputs[1];
  Values sides(2);
  for (const int side : {0, 1}) {
    sides[side] = MapParts(dys[side], [&](Endpoint part) { return SwitchTo(builder, part, predicate, side); });
    if (sides[side].IsNone()) return {GradientValue::None(), GradientValue::None()};
  }
  return {MergeBranches(builder, sides), GradientValue::None()};
}

Values LoopMergeGradient(GraphBuilder& builder, const GradientValue& dy) {
  GradLoop* loop = CurrentGradLoop(builder);
  if (loop == nullptr) return {dy, GradientValue::None()};
  const NodeId branch = loop->backward()->Branch(builder, Densify(builder, dy));
  return {Endpoint{branch, 0}, Endpoint{branch, 1}};
}

Values MergeGradient(GraphBuilder& builder, NodeId id, const Values& dys) {
  const std::vector<Endpoint> inputs = builder.graph().node(id).inputs;
  if (dys[0].IsNone()) return Values(inputs.size());
  Context* context = OutputContext(builder, inputs[0].node);
  if (context != nullptr && context->AsWhile() != nullptr) return LoopMergeGradient(builder, dys[0]);
  if (context != nullptr) {
    const CondContext& cond = *context->AsCond();
    GradLoop* loop = CurrentGradLoop(builder);
    const Endpoint predicate = loop == nullptr ? cond.predicate() : loop->BackwardPredicate(cond);
    return SplitByPredicate(builder, dys[0], predicate);
  }
  // A Merge that no conditional made: value_index tells which input was taken.
  Values gradients;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Endpoint number = builder.Constant(MakeScalar<int32_t>(static_cast<int32_t>(i)));
    const Endpoint taken = builder.Call("Equal", {{id, 1}, number});
    gradients.push_back(MapParts(dys[0], [&](Endpoint part) { return SwitchTo(builder, part, taken, 1); }));
  }
  return gradients;
}

Values ExitGradient(GraphBuilder& builder, const GradientValue& dy) {
  WhileContext* backward = CurrentLoop(builder);
  if (backward == nullptr || backward->grad_loop() == nullptr || !backward->options().back_prop || dy.IsNone()) {
    return {GradientValue::None()};
  }
  Endpoint dense;
  {
    InContext outside(builder, backward->outer());
    dense = Densify(builder, dy);
  }
  const Endpoint enter = backward->Enter(builder, dense, /*is_constant=*/false, "b_exit");
  backward->AddEnter(enter);
  return {enter};
}

Values EnterGradient(GraphBuilder& builder, NodeId id, const GradientValue& dy) {
  WhileContext* backward = CurrentLoop(builder);
  if (dy.IsNone() || backward == nullptr || backward->grad_loop() == nullptr || !backward->options().back_prop) {
    return {dy};
  }
  if (IsConstantEnter(builder.graph().node(id))) {
    return {backward->grad_loop()->Accumulate(builder.graph().node(id).inputs[0], dy)};
  }
  return {backward->Leave(builder, Densify(builder, dy), "")};
}

}  // namespace

std::vector<GradientValue> ControlFlowGradients(GraphBuilder& builder, NodeId id, const Values& dys) {
  const Node& node = builder.graph().node(id);
  if (IsSwitch(node)) return SwitchGradient(builder, id, dys);
  if (IsMerge(node)) return MergeGradient(builder, id, dys);
  if (IsExit(node)) return ExitGradient(builder, dys[0]);
  if (IsEnter(node)) return EnterGradient(builder, id, dys[0]);
  if (IsNextIteration(node)) return {dys[0]};
  return Values(node.inputs.size());  // LoopCond and what only orders
}

}  // namespace plumb
