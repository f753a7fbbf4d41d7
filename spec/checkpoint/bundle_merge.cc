#include <set>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/bundle_index.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {
namespace {

// What the bundles so far are together.
struct Merged {
  bool is_empty = true;
  pb::BundleHeaderProto header;
  std::map<std::string, pb::BundleEntryProto> entries;
  std::vector<std::string> data_paths;         // in the order of first use
  std::map<std::string, int> number_of_shard;  // by path

  int NumberOf(const std::string& path) {
    const auto [at, is_new] = number_of_shard.try_emplace(path, static_cast<int>(data_paths.size()));
    if (is_new) data_paths.push_back(path);
    return at->second;
  }
  void AddHeader(const pb::BundleHeaderProto& other) {
    if (is_empty) header = other;
    is_empty = false;
    Require(header.endianness() == other.endianness() &&
                header.version().SerializeAsString() == other.version().SerializeAsString(),
            "checkpoints of different versions, or of machines of different byte orders, cannot be merged");
  }
  void AddEntry(const std::string& prefix, int num_shards, const std::string& key, pb::BundleEntryProto entry) {
    const auto there = entries.find(key);
    if (there == entries.end()) {
      entry.set_shard_id(NumberOf(BundleDataPath(prefix, entry.shard_id(), num_shards)));
      entries.emplace(key, std::move(entry));
      return;
    }
    pb::BundleEntryProto& whole = there->second;
    const std::string name = NameOfKey(key);
    Require(whole.slices_size() > 0, "the tensor '", name, "' of '", prefix, "' is in another checkpoint, too");
    if (entry.slices_size() == 0) throw Internal("'", name, "' is whole in '", prefix, "', but in parts elsewhere");
    Require(whole.dtype() == entry.dtype() && whole.shape().SerializeAsString() == entry.shape().SerializeAsString(),
            "the parts of '", name, "' in '", prefix, "' are of another type or shape than those elsewhere");
    whole.mutable_slices()->MergeFrom(entry.slices());
  }
};

void AddBundle(const FileSystem& files, const std::string& prefix, Merged* merged) {
  checkpoint::TableReader index(files.Open(BundleIndexPath(prefix)));
  const auto bytes = index.Find("");
  if (!bytes) throw DataLoss("'", index.path(), "' has no header");
  const pb::BundleHeaderProto header = checkpoint::ParseBundleHeader(index.path(), *bytes);
  merged->AddHeader(header);
  index.ForEach([&](std::string_view key, std::string_view value) {
    if (key.empty()) return;
    merged->AddEntry(prefix, header.num_shards(), std::string(key),
                     checkpoint::ParseBundleEntry(index.path(), key, value));
  });
}

// In the order of the paths. A file whose name another is to have goes out of its way first: they may be of a
// checkpoint that is merged into its own prefix.
void RenameData(const FileSystem& files, std::vector<std::string> paths, const std::string& merged_prefix) {
  std::vector<std::string> names;
  for (size_t i = 0; i < paths.size(); ++i) {
    names.push_back(BundleDataPath(merged_prefix, static_cast<int>(i), static_cast<int>(paths.size())));
  }
  const std::set<std::string> wanted(names.begin(), names.end());
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i] == names[i] || !wanted.contains(paths[i])) continue;
    const std::string aside = paths[i] + ".moved";
    files.Rename(paths[i], aside);
    paths[i] = aside;
  }
  for (size_t i = 0; i < paths.size(); ++i) files.Rename(paths[i], names[i]);
}

// Nobody misses what is not there any more.
void RemoveIfThere(const FileSystem& files, const std::string& path) {
  if (files.Exists(path)) files.Remove(path);
}

}  // namespace

void MergeBundles(const FileSystem& files, const std::vector<std::string>& prefixes, const std::string& merged_prefix,
                  bool allow_missing) {
  files.MakeFolder(FolderOf(merged_prefix));
  Merged merged;
  for (const std::string& prefix : prefixes) {
    if (!files.Exists(BundleIndexPath(prefix))) {
      Require(allow_missing, "there is no checkpoint '", prefix, "' to merge, and none may be missing");
      continue;
    }
    AddBundle(files, prefix, &merged);
  }
  Require(!merged.is_empty, "there is no checkpoint to merge into '", merged_prefix, "'");
  RenameData(files, merged.data_paths, merged_prefix);
  merged.header.set_num_shards(static_cast<int>(merged.data_paths.size()));
  checkpoint::WriteBundleIndex(files, merged_prefix, merged.header, merged.entries)->Commit();
  for (const std::string& prefix : prefixes) {
    if (prefix != merged_prefix) RemoveIfThere(files, BundleIndexPath(prefix));
  }
}

}  // namespace plumb
