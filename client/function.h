// Functions of a graph's library, built as any graph is, and calls of them (clauses FN1–FN10).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

// An argument: its type, and its shape where the body may rely on it.
struct Argument {
  DType dtype = DType::kFloat;
  PartialShape shape = {};
};

// Builds a body in a graph of its own; gives the results. What comes from outside comes as an argument.
using BodyBuilder = std::function<std::vector<Output>(Scope& body, const std::vector<Output>& args)>;

// Adds a function to those that the scope's nodes may call. The body may call those that are there already, and
// may define others. Throws kInvalidArgument for a name that is taken.
FunctionRef DefineFunction(Scope& scope, const std::string& name, const std::vector<Argument>& arguments,
                           const BodyBuilder& build);

// Calls that are differentiated and have the shapes of what the functions give. All functions must be the scope's.
std::vector<Output> CallFunction(Scope& scope, const FunctionRef& function, const std::vector<Output>& inputs,
                                 const std::string& name = "");
// Either function, both of the same arguments and results; as the condition says (clause FN7).
std::vector<Output> CallIf(Scope& scope, Output condition, const FunctionRef& then_branch,
                           const FunctionRef& else_branch, const std::vector<Output>& inputs,
                           const std::string& name = "");
// Replaces the variables by what `body` makes of them as long as `condition` says so.
std::vector<Output> CallWhile(Scope& scope, const FunctionRef& condition, const FunctionRef& body,
                              const std::vector<Output>& initial, const std::string& name = "");

}  // namespace plumb
