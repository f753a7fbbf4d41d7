#include "models/parameters.h"

#include "client/variable.h"

namespace plumb::models {

int64_t ParameterCount(Scope& scope) {
  int64_t count = 0;
  for (const Variable& variable : TrainableVariables(scope)) count += variable.shape().ToShape().elements();
  return count;
}

}  // namespace plumb::models
