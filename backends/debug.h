// One step of a graph on the reference, under a debugger that reads commands from a stream.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "spec/session/session.h"

namespace plumb {

struct DebugRequest {
  GraphDef graph;
  std::span<const std::string> first;  // targets to run before, each in a step of its own
  std::span<const Feed> feeds;
  std::span<const std::string> fetches;
  std::span<const std::string> targets;
};

// What the debugged step returned; kCancelled when it was quit.
Status DebugStep(const DebugRequest& request, std::istream& in, std::ostream& out, const std::string& prompt);

}  // namespace plumb
