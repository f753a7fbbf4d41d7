#include "reference/resources.h"

namespace plumb::reference {

bool Slot::IsInitialized() const {
  if (value) return true;
  return declared.IsFullyDefined() && declared.ToShape().elements() == 0;
}

void ResourceStore::Clear(const std::string& container) {
  std::erase_if(resources_, [&](const auto& entry) { return std::get<0>(entry.first) == container; });
}

}  // namespace plumb::reference
