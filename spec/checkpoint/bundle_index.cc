#include "spec/checkpoint/bundle_index.h"

#include <algorithm>
#include <cstdio>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/messages.h"
#include "spec/checkpoint/table_builder.h"
#include "spec/core/status.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {

std::string BundleIndexPath(std::string_view prefix) { return Str(prefix, ".index"); }

std::string BundleDataPath(std::string_view prefix, int shard, int num_shards) {
  char ending[64];
  std::snprintf(ending, sizeof(ending), ".data-%05d-of-%05d", shard, num_shards);
  return Str(prefix, ending);
}

namespace checkpoint {

pb::BundleHeaderProto ParseBundleHeader(const std::string& path, std::string_view bytes) {
  pb::BundleHeaderProto header;
  if (!Parse(bytes, &header) || header.num_shards() < 0) {
    throw DataLoss("'", path, "' has no header of a checkpoint");
  }
  return header;
}

pb::BundleEntryProto ParseBundleEntry(const std::string& path, std::string_view key, std::string_view bytes) {
  pb::BundleEntryProto entry;
  if (!Parse(bytes, &entry)) {
    throw DataLoss("'", path, "' has a broken entry for '", key, "'");
  }
  return entry;
}

void CheckVersion(const std::string& path, const pb::VersionDef& version) {
  const auto& bad = version.bad_consumers();
  Require(version.min_consumer() <= kBundleVersion && std::count(bad.begin(), bad.end(), kBundleVersion) == 0, "'",
          path, "' says that it is not for readers of version ", kBundleVersion, ", but of version ",
          version.min_consumer(), " or later");
}

std::unique_ptr<ReplacedFile> WriteBundleIndex(const FileSystem& files, const std::string& prefix,
                                               const pb::BundleHeaderProto& header,
                                               const std::map<std::string, pb::BundleEntryProto>& entries) {
  auto file = files.Replace(BundleIndexPath(prefix));
  TableBuilder table(file.get());
  table.Add("", header.SerializeAsString());
  for (const auto& [key, entry] : entries) table.Add(key, entry.SerializeAsString());
  table.Finish();
  return file;
}

}  // namespace checkpoint
}  // namespace plumb
