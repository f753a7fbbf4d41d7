#include "backends/debug.h"

#include "reference/debugger.h"

namespace plumb {

Status DebugStep(const DebugRequest& request, std::istream& in, std::ostream& out, const std::string& prompt) {
  reference::ReferenceSession session;
  if (Status status = session.Extend(request.graph); !status.ok()) return status;
  for (const std::string& target : request.first) {
    Status status = session.Run(request.feeds, {}, {&target, 1}, nullptr);
    if (!status.ok()) return status;
  }
  const std::vector<reference::ValueFeed> feeds(request.feeds.begin(), request.feeds.end());
  return reference::Debugger(in, out, prompt).Run(session, feeds, request.fetches, request.targets);
}

}  // namespace plumb
