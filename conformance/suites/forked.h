// Work in a process of its own, which may crash or hang without taking the caller along.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace plumb::conformance {

struct ForkedResult {
  std::vector<std::string> answers;  // that arrived before it ended
  std::string failure;               // "crashed: …", "hung: …"; empty when it ended well
};

// Calls work(answer) in a forked process; answers are lines of text. An Error thrown by the work is a failure. The
// process is killed when nothing arrives for `silence`. The caller must have one thread.
ForkedResult RunForked(const std::function<void(const std::function<void(const std::string&)>&)>& work,
                       std::chrono::milliseconds silence = std::chrono::seconds(120));

}  // namespace plumb::conformance
