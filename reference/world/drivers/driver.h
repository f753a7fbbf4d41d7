// Who chooses among the events that the steps of a world could fire next.
#pragma once

#include <cstddef>
#include <string_view>

namespace plumb::reference {

enum class Choice { kEvent };

class Driver {
 public:
  virtual ~Driver() = default;
  // One of 0 … n−1; n is at least 1. `site` says where the choice arises, for people and for records.
  virtual size_t Choose(Choice kind, size_t n, std::string_view site) = 0;
};

}  // namespace plumb::reference
