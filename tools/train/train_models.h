// `plumb train resnet-50` and its like: every model of the catalogues, one process or many.
#pragma once

#include <vector>

#include "client/scope.h"
#include "tools/commands.h"

namespace plumb::tools {

std::vector<Command*> ModelTrainingCommands();

// What --parameters prints of a model that was built there.
void PrintParameterCount(Scope& scope);

}  // namespace plumb::tools
