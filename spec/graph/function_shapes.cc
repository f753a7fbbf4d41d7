#include "spec/graph/function_shapes.h"

#include <map>
#include <memory>

#include "spec/graph/function_calls.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/variable_type.h"
#include "spec/ops/known_values.h"

namespace plumb {
namespace {

// FN10: beyond these nothing is followed, for small libraries may unfold to large ones.
constexpr int kDeepest = 32;
constexpr int kMostNodes = 1 << 20;

using Shapes = std::vector<PartialShape>;
using Arguments = std::vector<KnownValue>;

// What holds of both.
PartialShape Common(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || a.rank() != b.rank()) return PartialShape::Unknown();
  std::vector<int64_t> dims = a.dims();
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (dims[axis] != b.dim(axis)) dims[axis] = -1;
  }
  return PartialShape(std::move(dims));
}

class CallShapes {
 public:
  explicit CallShapes(const FunctionLibrary& library) : library_(library) {}

  Shapes Of(const ShapeContext& call) {
    Shapes shapes = InferShapes(call);
    shapes.resize(static_cast<size_t>(call.num_outputs()));
    const Shapes inferred = OfFunctions(call);
    if (inferred.size() != shapes.size()) return shapes;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const bool fits = shapes[i].IsCompatibleWith(inferred[i]);
      shapes[i] = fits ? shapes[i].MergeWith(inferred[i]) : inferred[i];
    }
    return shapes;
  }

 private:
  // Nothing where nothing is known.
  Shapes OfFunctions(const ShapeContext& call) {
    if (call.op().kind == OpKind::kSymbolicGradient) return {};  // D8: its rule says it all
    const std::vector<CalledFunction> functions = FunctionsCalledBy(call.op(), call.attrs());
    switch (call.op().kind) {
      case OpKind::kWhile:
        if (CountsTurns(call.op())) return {};
        return OfLoop(functions[1].function, ArgumentsOf(call, 0));
      case OpKind::kCall:
        if (Batches(call.op())) return {};  // the function is given other rows
        return OfFunction(functions[0].function, ArgumentsOf(call, FirstArgument(call.op())));
      default:
        return OfBranches(functions, ArgumentsOf(call, 1));
    }
  }

  static Arguments ArgumentsOf(const ShapeContext& call, int first) {
    Arguments args;
    for (int i = first; i < call.num_inputs(); ++i) {
      const Tensor* value = call.constant(i);
      if (value != nullptr && value->elements() > kMaxKnownElements) value = nullptr;
      args.push_back({call.input(i), value, call.variable(i)});
    }
    return args;
  }

  Shapes OfBranches(const std::vector<CalledFunction>& branches, const Arguments& args) {
    Shapes common = OfFunction(branches[0].function, args);
    for (size_t b = 1; b < branches.size(); ++b) {
      const Shapes shapes = OfFunction(branches[b].function, args);
      if (shapes.size() != common.size()) return {};
      for (size_t i = 0; i < shapes.size(); ++i) common[i] = Common(common[i], shapes[i]);
    }
    return common;
  }

  // What a turn changes is forgotten, until a turn changes nothing of what is known. Each round forgets something.
  Shapes OfLoop(const FunctionRef& body, Arguments args) {
    KeepInvariants(body, args);
    while (true) {
      const Shapes next = OfFunction(body, args);
      if (next.size() != args.size()) return {};
      bool is_stable = true;
      for (size_t i = 0; i < args.size(); ++i) {
        PartialShape common = Common(args[i].shape, next[i]);
        is_stable = is_stable && common == args[i].shape;
        args[i].shape = std::move(common);
      }
      if (is_stable) break;
    }
    Shapes shapes;
    for (const KnownValue& arg : args) shapes.push_back(arg.shape);
    return shapes;
  }

  // Values and variables stay known in all turns where the body gives back the argument itself.
  void KeepInvariants(const FunctionRef& function, Arguments& args) {
    const FunctionBody* body = BodyOf(function, args.size());
    for (size_t i = 0; i < args.size(); ++i) {
      const bool is_invariant = body != nullptr && i < body->results.size() &&
                                SourceOfHandle(body->graph, body->results[i]) == Endpoint{body->args[i], 0};
      if (!is_invariant) args[i] = {args[i].shape, nullptr, std::nullopt};
    }
  }

  // Null for a function that makes no sense, which shows when it is called.
  const FunctionBody* BodyOf(const FunctionRef& function, size_t args) {
    try {
      const FunctionBody& body = library_.Body(function);
      return body.args.size() == args ? &body : nullptr;
    } catch (const Error&) {
      return nullptr;
    }
  }

  Shapes OfFunction(const FunctionRef& function, const Arguments& args) {
    const FunctionBody* body = BodyOf(function, args.size());
    if (body == nullptr) return {};
    const auto [at, is_new] = known_.emplace(KeyOf(body, args), Shapes());
    if (is_new) at->second = OfBody(*body, args);
    return at->second;
  }

  Shapes OfBody(const FunctionBody& body, const Arguments& args) {
    nodes_ += body.graph.size();
    if (depth_ >= kDeepest || nodes_ > kMostNodes) return {};
    std::map<NodeId, KnownValue> by_node;
    for (size_t i = 0; i < args.size(); ++i) by_node.emplace(body.args[i], args[i]);
    ++depth_;
    const auto shapes = InferBodyShapes(body.graph, by_node, [this](const ShapeContext& call) { return Of(call); });
    --depth_;
    Shapes results;
    for (const Endpoint result : body.results) results.push_back(shapes[Index(result.node)][result.output]);
    return results;
  }

  // A call inside itself finds its own entry, which knows nothing yet.
  using Key = std::pair<const FunctionBody*, std::string>;
  static Key KeyOf(const FunctionBody* body, const Arguments& args) {
    std::string key;
    for (const KnownValue& arg : args) {
      key += arg.shape.ToString();
      if (arg.value != nullptr) key += Str("=", SerializeAttrValue(*arg.value));
      if (arg.variable) key += Str(":", DTypeName(arg.variable->dtype), arg.variable->shape.ToString());
      key += ';';
    }
    return {body, std::move(key)};
  }

  const FunctionLibrary& library_;
  std::map<Key, Shapes> known_;
  int depth_ = 0;
  int nodes_ = 0;
};

}  // namespace

CallShapeFn ShapesOfCalls(const FunctionLibrary* library) {
  if (library == nullptr) return [](const ShapeContext& call) { return InferShapes(call); };
  return [known = std::make_shared<CallShapes>(*library)](const ShapeContext& call) { return known->Of(call); };
}

}  // namespace plumb
