// Which test differentiates what the laws over samples of rows cannot (testdata/gradient_trials.txt).
#pragma once

#include <map>
#include <set>
#include <string>

namespace plumb::property {

// Laws that take their cases from rows, and so name no op themselves: they say whether they differentiate those that
// the list says they do.
inline constexpr char kLawOfOrders[] = "OpGradients.TheRulesOfGradientOpsAreTheDerivatives";
inline constexpr char kLawOfComplexNumbers[] = "ComplexGradients.AreTheDerivatives";

// By op: the tests that try its gradient, each as "Suite.Test".
std::multimap<std::string, std::string> GradientTrials();

// The ops that the list leaves to this test.
std::set<std::string> TriedBy(const std::string& test);

}  // namespace plumb::property
