#include "spec/checkpoint/reserved.h"

namespace plumb {

void AddReserved(BundleWriter& bundle, std::string_view path, const SavedState& state) {
  for (const auto& [name, value] : state) bundle.Add(Str(kReserved, path, name), value);
}

SavedState ReadReserved(const FileSystem& files, const std::string& prefix, std::string_view path) {
  SavedState state;
  if (!files.Exists(BundleIndexPath(prefix))) return state;
  BundleReader reader(files, prefix);
  const std::string begin = Str(kReserved, path);
  for (const BundleEntry& entry : reader.List()) {
    if (!entry.name.starts_with(begin)) continue;
    const auto allocate = [](DType dtype, const Shape& shape) { return Tensor(dtype, shape); };
    state.emplace(entry.name.substr(begin.size()), reader.Read(entry, allocate));
  }
  return state;
}

}  // namespace plumb
