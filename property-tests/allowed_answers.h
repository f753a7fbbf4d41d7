// How laws hold values against what the reference allows.
#pragma once

#include <string>
#include <vector>

#include "conformance/compare/oracle.h"

namespace plumb::property {

// That each value of the oracle's last step is one that the reference allows. Breaks the law otherwise, and says whose
// value it is by the name of what is tried.
void CheckAllowed(const std::vector<Tensor>& values, const std::vector<reference::Value>& allowed,
                  const std::vector<std::string>& fetches, conformance::Oracle& oracle,
                  const std::string& tried = "fast");

}  // namespace plumb::property
