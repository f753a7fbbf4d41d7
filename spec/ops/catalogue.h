// The op catalogue: every op that Plumb runs or knows, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

// The definition, of a row or of an op that is known by its signature alone (known/known_ops.h), or null.
const OpDef* FindOp(std::string_view name);
// The definition; kNotFound "Op type not registered" that names the op and the nearest known one (rule G7).
const OpDef& GetOp(std::string_view name);
// The rows, sorted by name.
std::span<const OpDef* const> AllOps();

// The rows of one topic, written in spec/ops/<family>/<name>.cc.
struct Topic {
  std::string_view family;
  std::string_view name;
  std::span<const OpRow> rows;
};
std::span<const Topic> Topics();

}  // namespace plumb
