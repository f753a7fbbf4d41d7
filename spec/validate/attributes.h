// Checks of a node's attributes against its op (rules A1–A6).
#pragma once

#include "spec/ops/op_def.h"

namespace plumb {

// Fills in defaults and checks every attribute; gives empty lists their kind (rule A6). Throws kInvalidArgument naming
// the attribute; kNotFound if one is missing that a graph cannot be wired up without (GetNodeAttr).
void CompleteAttributes(const OpDef& op, AttrMap& attrs);

// One attribute's value against its declaration (rule A3).
void CheckAttribute(const AttrDef& declared, const AttrValue& value);

}  // namespace plumb
