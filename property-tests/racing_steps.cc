#include "property-tests/racing_steps.h"

#include <rapidcheck.h>

#include <algorithm>

#include "property-tests/generators/random_tensor.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"

namespace plumb::property {

StepAnswer RunStep(Session& session, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
  StepAnswer answer;
  answer.status = session.Run(kWithLimit, {}, fetches, targets, &answer.values, nullptr);
  return answer;
}

// The one number that all elements are.
static int64_t TheNumberIn(const Tensor& tensor) {
  const auto numbers = [&]<class T>(T) {
    const auto data = tensor.data<T>();
    RC_ASSERT(std::all_of(data.begin(), data.end(), [&](T x) { return x == data[0]; }));
    return static_cast<int64_t>(data[0]);
  };
  switch (tensor.dtype()) {
    case DType::kInt32:
      return numbers(int32_t());
    case DType::kInt64:
      return numbers(int64_t());
    case DType::kFloat:
      return numbers(float());
    default:
      return numbers(double());
  }
}

void CheckOutcome(const ConcurrentCase& concurrent, const std::vector<StepAnswer>& answers) {
  const std::set<Outcome> allowed = AllowedOutcomes(concurrent);
  Outcome outcome;
  for (const StepAnswer& answer : answers) {
    RC_LOG() << answer.status.ToString() << "\n";
    RC_ASSERT(answer.status.ok());
    for (const Tensor& value : answer.values) outcome.push_back(TheNumberIn(value));
  }
  RC_LOG() << "outcome:";
  for (const int64_t number : outcome) RC_LOG() << " " << number;
  RC_LOG() << ", " << allowed.size() << " are allowed\n";
  RC_CLASSIFY(allowed.size() > 1, "several outcomes");
  RC_ASSERT(allowed.contains(outcome));
}

void CheckSums(const RandomUpdates& updates, const StepAnswer& variables) {
  RC_ASSERT(variables.status.ok());
  for (size_t i = 0; i < variables.values.size(); ++i) {
    const Tensor& value = variables.values[i];
    const ToldIfBroken told_value([&] { return Str(updates.variables[i], " = ", value.ToString(16)); });
    RC_ASSERT(value.BitwiseEquals(TensorOf(value.dtype(), value.shape(), updates.expected[i])));
  }
}

}  // namespace plumb::property
