#include "reference/state/resources.h"

#include <algorithm>

namespace plumb::reference {

void ResourceStore::Clear(const std::string& container) {
  std::erase_if(resources_, [&](const auto& entry) { return std::get<1>(entry.first) == container; });
}

ResourceStore ResourceStore::Clone(Copies& copies) const {
  ResourceStore clone;
  for (const auto& [key, resource] : resources_) clone.resources_.emplace(key, copies.Of(resource));
  return clone;
}

void Resource::Save(const StateWriter&) const { throw Unimplemented("this kind of resource cannot be saved"); }
void Resource::Restore(const StateReader&) { throw Unimplemented("this kind of resource cannot be restored"); }

void ResourceStore::Save(const StateWriter& writer, std::span<const ResourceKind> kinds) const {
  for (const auto& [key, resource] : resources_) {
    const auto& [device, container, type, name] = key;
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&type = type](auto& each) { return each.type == type; });
    if (kind == kinds.end()) throw Unimplemented("the resource '", name, "' is of a kind that cannot be saved");
    const StateWriter on_device = writer.Under(PathPart(device));
    resource->Save(on_device.Under(Str(PathPart(container), "/", kind->name, "/", PathPart(name))));
  }
}

void ResourceStore::Restore(const SavedState& state, std::string_view path, std::span<const ResourceKind> kinds) {
  ResourceStore restored;  // all of them or none
  for (const auto& [entry, value] : state) {
    if (!entry.starts_with(path)) continue;
    std::string_view rest = std::string_view(entry).substr(path.size());
    const std::string_view device = TakePart(rest), container = TakePart(rest);
    const std::string_view kind_name = TakePart(rest), name = TakePart(rest);
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](auto& each) { return each.name == kind_name; });
    if (kind == kinds.end()) throw DataLoss("the saved state holds a resource of the unknown kind '", kind_name, "'");
    auto& resource = restored.resources_[{NameOfPart(device), NameOfPart(container), kind->type, NameOfPart(name)}];
    if (resource != nullptr) continue;  // several entries are of one resource
    resource = kind->make();
    resource->Restore(StateReader(state, Str(path, device, "/", container, "/", kind_name, "/", name, "/")));
  }
  resources_.merge(restored.resources_);
}

}  // namespace plumb::reference
