// `plumb train resnet-50` and its like: every model of the catalogues, one process or many.
#pragma once

#include <vector>

#include "tools/commands.h"

namespace plumb::tools {

std::vector<Command*> ModelTrainingCommands();

}  // namespace plumb::tools
