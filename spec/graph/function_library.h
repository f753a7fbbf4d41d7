// The functions of a graph, checked, and their bodies as graphs (clauses FN1–FN10).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/thread_annotations.h"
#include "spec/graph/function_def.h"
#include "spec/graph/graph.h"

namespace plumb {

// A function with its attributes bound. Its graph is a step: the arguments are fed, the results are fetched, and the
// effects are targets (clause FN5).
struct FunctionBody {
  std::string name;
  Graph graph;
  std::vector<NodeId> args;       // placeholders, one per argument
  std::vector<Endpoint> results;  // may be an argument
  std::vector<NodeId> effects;    // what runs though no result needs it

  // The nodes that run, by position: those that results and effects need.
  std::vector<bool> Needed() const;
};

class FunctionLibrary {
 public:
  // `bytes` are a FunctionDefLibrary, or several behind each other (rule V3). Signatures are checked here, a body when
  // it is first asked for. Throws kInvalidArgument naming the function.
  static std::shared_ptr<const FunctionLibrary> Parse(std::string_view bytes);

  // The signature, or null. The library must outlive it.
  const OpDef* Find(std::string_view name) const;
  // All of the library's own, by name.
  const std::map<std::string, FunctionDef, std::less<>>& definitions() const { return functions_; }
  // The function that the library names as the gradient of another; "" when it names none.
  const std::string& GradientOf(const std::string& name) const;

  // The body of a function of the library, or of a gradient: {"SymbolicGradient", {f}} takes f's arguments and the
  // gradients of its results, and gives the gradients of its arguments (clause FN8). Made once; the library must
  // outlive it. Throws kNotFound for a name that nothing has, kInvalidArgument for attributes or a body that make no
  // sense.
  const FunctionBody& Body(const FunctionRef& function) const;

 private:
  explicit FunctionLibrary(FunctionLibraryDef def);
  std::unique_ptr<const FunctionBody> MakeBody(const FunctionRef& function) const;

  std::map<std::string, FunctionDef, std::less<>> functions_;
  const std::map<std::string, std::string> gradients_;
  mutable Mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<const FunctionBody>> bodies_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb
