// What nodes took where they ran.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/session/session.h"

namespace plumb {

class MeasuredCosts {
 public:
  // Of a step that was traced (RunOptions::trace). A node that ran several times in it, as in a loop, took all of that
  // together; one that queued work on a stream of its device took what that took there. Of several steps the median
  // counts, so that the first one, which sets things up, does not.
  void Learn(const RunMetadata& metadata);
  // None for a node that no traced step ran.
  std::optional<double> SecondsOf(std::string_view node) const;

 private:
  std::map<std::string, std::vector<double>, std::less<>> seconds_;
};

}  // namespace plumb
