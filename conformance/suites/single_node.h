// A graph around one op, from a sampled case: placeholders feed its values, variables stand behind its references and
// resources.
#pragma once

#include <string>
#include <vector>

#include "conformance/compare/oracle.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {

// The name of the node that is tried.
inline constexpr char kTried[] = "node";

struct SingleNode {
  GraphDef graph;
  StepRequest initialize;  // assigns the variables; no targets when there are none
  StepRequest run;         // fetches every output of the node, or runs it when it has none
  StepRequest inspect;     // fetches the variables afterwards; no fetches when there are none
};
SingleNode MakeSingleNode(const OpDef& op, const SampledCase& sampled);

}  // namespace plumb::conformance
