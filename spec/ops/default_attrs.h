// The values that attributes have where none is given.
#pragma once

#include "spec/ops/op_def.h"

namespace plumb {

// Gives every attribute that is not there its default, if it has one.
inline void AddDefaults(const OpDef& op, AttrMap& attrs) {
  for (const AttrDef& attr : op.attrs) {
    if (attr.default_value) attrs.emplace(attr.name, *attr.default_value);
  }
}

}  // namespace plumb
