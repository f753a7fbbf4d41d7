// How nodes call functions (clauses FN4–FN7): which ones, and what a body's nodes are called there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spec/graph/function_library.h"
#include "spec/ops/op_kind.h"

namespace plumb {

// FN9: how deep calls may lie in each other.
constexpr int kMaxCallDepth = 256;

constexpr bool IsCall(OpKind kind) {
  return kind == OpKind::kCall || kind == OpKind::kSymbolicGradient || kind == OpKind::kIf || kind == OpKind::kCase ||
         kind == OpKind::kWhile;
}

// A function that a node may call.
struct CalledFunction {
  FunctionRef function;
  std::string label;  // tells the functions of one node apart in names: "then", "body"; "" for the only one
};
constexpr char kConditionLabel[] = "cond";
// One for a call, a gradient and a loop that counts; then and else; the branches; condition and body.
std::vector<CalledFunction> FunctionsCalledBy(const OpDef& op, const AttrMap& attrs);
inline std::vector<CalledFunction> FunctionsCalledBy(const Node& node) {
  return FunctionsCalledBy(*node.op, node.attrs);
}

// Whether a node's op is itself a function of the library, and so has no row.
bool IsCallByName(const OpDef& op);
// Whether a loop counts its turns instead of asking a condition (FN7): its first inputs say from where, up to where and
// how far in a turn. Its body is given the count, then the variables.
bool CountsTurns(const OpDef& op);
// Whether the first input of a call names the device that its function is to run on (FN5).
bool NamesTarget(const OpDef& op);
// Whether a call's function is given a batch of rows, made of the first inputs (FN11).
bool Batches(const OpDef& op);
// FN7: whether TensorFlow puts Switch and Merge nodes in the place of the node, which asks for it by the attribute
// _lower_using_switch_merge. Its condition is a bool scalar then.
bool IsLowered(const Node& node);
// FN5: whether there is an executor of the type that a call asks for, and kNotFound where there is none.
bool HasExecutor(const Node& call);
void CheckExecutor(const Node& call);
// How many inputs of a call stand before those that its functions are given.
int FirstArgument(const OpDef& op);

// What a call by the name of `op` binds: the attributes of the op or function itself, without those that anybody may
// add (rule A2).
std::shared_ptr<const AttrMap> Bindings(const OpDef& op, const AttrMap& attrs);
// What a call of the function gives.
std::vector<DType> TypesOfResults(const FunctionBody& body);

// The gradient of a function, as a function (clause FN8).
FunctionRef GradientRef(const FunctionRef& function);

// FN6: the path of a call's body, and the body's node as it is there. Its name is "path:name", which no node of a graph
// can have; so no two nodes share a name, wherever they are. Frames and colocation groups are its own.
std::string PathInto(const std::string& call, const std::string& label);
Node InCall(const Node& node, const std::string& path, const Node& call);

// Makes the bodies of all functions that a node may call, and of those that these may call, and shows each to `visit`.
// Throws for one that makes no sense, before anything runs, and kInvalidArgument where the types of a call are not
// those of its function, or its attributes configure no run. Does nothing for other nodes.
void CheckCalls(const FunctionLibrary* library, const Node& call,
                const std::function<void(const FunctionBody&)>& visit = nullptr);

}  // namespace plumb
