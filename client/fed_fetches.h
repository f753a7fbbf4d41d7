// Steps of graphs that others made, whose fetches may name what is fed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spec/session/session.h"

namespace plumb {

// One step. A fetch that names a fed tensor is answered with its feed, as TensorFlow's Python session does; a session
// itself refuses it (rule F7). Where nothing else is fetched, no step runs.
Status RunAnsweringFeeds(Session& session, const RunOptions& options, std::span<const Feed> feeds,
                         std::span<const std::string> fetches, std::vector<Tensor>* outputs);

}  // namespace plumb
