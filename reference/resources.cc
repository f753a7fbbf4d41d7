#include "reference/resources.h"

namespace plumb::reference {

void ResourceStore::Clear(const std::string& container) {
  std::erase_if(resources_, [&](const auto& entry) { return std::get<0>(entry.first) == container; });
}

ResourceStore ResourceStore::Clone(Copies& copies) const {
  ResourceStore clone;
  for (const auto& [key, resource] : resources_) clone.resources_.emplace(key, copies.Of(resource));
  return clone;
}

}  // namespace plumb::reference
