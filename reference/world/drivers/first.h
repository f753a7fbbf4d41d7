// First: always the first event, so that every run of a graph goes the same way (rule E1).
#pragma once

#include "reference/world/drivers/driver.h"

namespace plumb::reference {

class FirstDriver : public Driver {
 public:
  size_t Choose(Choice kind, size_t n, std::string_view site) override;
};

}  // namespace plumb::reference
