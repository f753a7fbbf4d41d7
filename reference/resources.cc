#include "reference/resources.h"

namespace plumb::reference {

bool Slot::IsInitialized() const {
  if (value) return true;
  return declared.IsFullyDefined() && declared.ToShape().elements() == 0;
}

void ResourceStore::Clear(const std::string& container) {
  std::erase_if(resources_, [&](const auto& entry) { return std::get<0>(entry.first) == container; });
}

ResourceStore ResourceStore::Clone(Copies& copies) const {
  ResourceStore clone;
  for (const auto& [key, resource] : resources_) clone.resources_.emplace(key, copies.Of(resource));
  return clone;
}

}  // namespace plumb::reference
