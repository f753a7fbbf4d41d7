// Which values of an op's attributes a suite has to draw, by the grammar of its row: of a bool both, of a string each
// that is allowed, of what else has a default that and another one, and of what has none any.
#pragma once

#include <string>
#include <vector>

#include "spec/samples/sample.h"

namespace plumb::conformance {

// Whether it says how many inputs or outputs there are.
bool CountsArguments(const OpDef& op, const AttrDef& attr);

struct AttrDraw {
  enum What { kThis, kOther, kAny };
  std::string attr;
  std::string name;  // "use_locking=true", "epsilon=default", "epsilon=other", "shape=given"
  AttrValue value;   // that has to be given; kOther: anything but it; kAny: anything
  What what = kThis;
  // Attributes that draw it, to be tried in this order. None for what has to fit the inputs, such as a shape: samples
  // draw it, or nothing does.
  std::vector<AttrMap> candidates;
};

// All of an op. Left out are single types, which are the variants of the suite, and attributes that count arguments.
std::vector<AttrDraw> DrawsFor(const OpDef& op);

// Whether a node with these attributes draws the value.
bool Draws(const AttrDraw& draw, const AttrMap& attrs);

// The names of those that a node with these attributes draws.
std::vector<std::string> DrawnBy(const OpDef& op, const AttrMap& attrs);

// The case with these attributes instead of its own. Where the layout of images changes, images, their sizes, and lists
// with an entry per dimension are turned around with it; nodes that
// find the same queue or area by container and name go on finding the same.
SampledCase WithAttributes(const OpDef& op, SampledCase sampled, const AttrMap& attrs);

}  // namespace plumb::conformance
