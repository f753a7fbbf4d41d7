#include "property-tests/allowed_answers.h"

#include <rapidcheck.h>

#include "property-tests/law.h"

namespace plumb::property {

void CheckAllowed(const std::vector<Tensor>& values, const std::vector<reference::Value>& allowed,
                  const std::vector<std::string>& fetches, conformance::Oracle& oracle, const std::string& tried) {
  RC_ASSERT(values.size() == allowed.size());
  for (size_t i = 0; i < allowed.size(); ++i) {
    const conformance::Verdict verdict =
        conformance::Compare(values[i], allowed[i], oracle.Sampler(i), {}, {tried, "reference"});
    RC_LOG() << fetches[i] << ": " << verdict.detail << "\n";
    RC_ASSERT(verdict.ok());
  }
}

}  // namespace plumb::property
