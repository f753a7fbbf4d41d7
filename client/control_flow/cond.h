// Conditionals and loops as programs write them. What the functions build becomes Switch, Merge, Enter, Exit,
// NextIteration and LoopCond, encoded as TensorFlow's client encodes them (rules X40–X43).
#pragma once

#include <functional>
#include <vector>

#include "client/scope.h"

namespace plumb {

using Branch = std::function<std::vector<Output>()>;

// The results of `if_true` when the scalar bool `predicate` is true, else those of `if_false`: as many, of the same
// types. Only the branch taken runs; what a branch uses from outside is computed in any case (rule X41).
std::vector<Output> Cond(Scope& scope, Output predicate, const Branch& if_true, const Branch& if_false,
                         const std::string& name = "cond");
// The same for one result.
Output Cond(Scope& scope, Output predicate, const std::function<Output()>& if_true,
            const std::function<Output()>& if_false, const std::string& name = "cond");

}  // namespace plumb
