// Where replicas of a training program keep their variables: on parameter servers, shared by all of them (white paper
// §7; OSDI paper §4.4).
#pragma once

#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

// For Scope::set_variable_device. Each variable goes to the next of `devices` in turn. Programs that make equal
// variables in equal order agree where each lies.
Scope::VariableDevice InTurn(std::vector<std::string> devices);
// Each variable goes to the one of `devices` that has the fewest bytes so far; the first of those.
Scope::VariableDevice ByBytes(std::vector<std::string> devices);

}  // namespace plumb
