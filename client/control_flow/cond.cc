#include "client/control_flow/cond.h"

#include "client/control_flow/context.h"

namespace plumb {
namespace {

std::vector<Endpoint> BuildBranch(GraphBuilder& builder, CondContext* context, const Branch& branch) {
  GraphBuilder::ContextScope inside(builder, context);
  std::vector<Endpoint> results;
  for (const Output& result : branch()) results.push_back(context->Import(builder, result));
  return results;
}

}  // namespace

// X40.
std::vector<Output> Cond(Scope& scope, Output predicate, const Branch& if_true, const Branch& if_false,
                         const std::string& name) {
  GraphBuilder& b = scope.builder();
  Require(predicate.dtype() == DType::kBool, "the predicate of a conditional must be bool, not ",
          DTypeName(predicate.dtype()));
  GraphBuilder::NameScope named(b, name);
  const NodeId sides = b.Add("Switch", {predicate, predicate});
  const Endpoint pivot_true = NamedCall(b, "Identity", {{sides, 1}}, {}, "switch_t");
  const Endpoint pivot_false = NamedCall(b, "Identity", {{sides, 0}}, {}, "switch_f");
  const Endpoint known = NamedCall(b, "Identity", {predicate}, {}, "pred_id");
  Context* outer = CurrentContext(b);
  auto* true_context = b.Own(std::make_unique<CondContext>(b, outer, known, pivot_true, 1));
  auto* false_context = b.Own(std::make_unique<CondContext>(b, outer, known, pivot_false, 0));
  const auto from_true = BuildBranch(b, true_context, if_true);
  const auto from_false = BuildBranch(b, false_context, if_false);
  Require(from_true.size() == from_false.size(), "the branches of the conditional '", b.scope(), "' give ",
          from_true.size(), " and ", from_false.size(), " results");
  std::vector<Output> results;
  for (size_t i = 0; i < from_true.size(); ++i) {
    Require(b.dtype(from_true[i]) == b.dtype(from_false[i]), "result ", i, " of the conditional '", b.scope(), "' is ",
            DTypeName(b.dtype(from_true[i])), " in one branch and ", DTypeName(b.dtype(from_false[i])),
            " in the other");
    results.push_back({&b, b.Call("Merge", {from_false[i], from_true[i]})});
  }
  return results;
}

Output Cond(Scope& scope, Output predicate, const std::function<Output()>& if_true,
            const std::function<Output()>& if_false, const std::string& name) {
  const auto list = [](const std::function<Output()>& branch) -> Branch {
    return [&branch] { return std::vector<Output>{branch()}; };
  };
  return Cond(scope, predicate, list(if_true), list(if_false), name)[0];
}

}  // namespace plumb
