// Which values of an op's attributes a suite has to draw, by the grammar of its row: of a bool both, of a string each
// that is allowed, of what else has a default that and another one.
#pragma once

#include <string>
#include <vector>

#include "spec/ops/sample.h"

namespace plumb::conformance {

struct AttrDraw {
  std::string attr;
  std::string name;  // "use_locking=true", "epsilon=default", "epsilon=other"
  AttrValue value;   // that has to be given; of "other": anything but it
  bool is_other = false;
  std::vector<AttrMap> candidates;  // attributes that draw it, to be tried in this order
};

// All of an op. Left out are types, which are the variants of the suite; attributes that count or type arguments, and
// those without a default or a set of values, which every sample has to give anyway; and shapes, tensors and functions.
std::vector<AttrDraw> DrawsFor(const OpDef& op);

// The names of those that a node with these attributes draws.
std::vector<std::string> DrawnBy(const OpDef& op, const AttrMap& attrs);

// The case with these attributes instead of its own. Where the layout of images changes, images, their sizes, and lists
// with an entry per dimension are turned around with it.
SampledCase WithAttributes(const OpDef& op, SampledCase sampled, const AttrMap& attrs);

}  // namespace plumb::conformance
