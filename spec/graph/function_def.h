// A function library as it is written down (FunctionDefLibrary, rule 9.9), unchecked. FunctionLibrary
// (function_library.h) is the checked form.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/graph/graph_def.h"
#include "spec/ops/op_def.h"

namespace plumb {

struct FunctionDef {
  OpDef signature;                                     // name, arguments, attributes and flags; kind kCall
  std::vector<NodeDef> nodes;                          // inputs: "arg", "arg:2", "node:output_arg:0", "^node"
  std::map<std::string, std::string> results;          // for each output argument: what it gives, named as an input is
  std::map<std::string, std::string> control_results;  // nodes that run though no result needs them
};

struct FunctionLibraryDef {
  std::vector<FunctionDef> functions;
  std::map<std::string, std::string> gradients;  // the function that computes the gradient of a function
};

// Bytes ⇄ values. Throws kInvalidArgument for bytes that are no FunctionDefLibrary, for attributes of no known kind, and
// for two different functions, or gradients, of one name; equal ones count once (rule FN2).
FunctionLibraryDef ParseFunctionLibrary(std::string_view bytes);
std::string SerializeFunctionLibrary(const FunctionLibraryDef& library);

}  // namespace plumb
