// The index of a bundle: a header under the empty key, and an entry for each tensor and each part (rules Z31, Z32).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "spec/files/file_system.h"

namespace plumb {

namespace pb {
class BundleEntryProto;
class BundleHeaderProto;
class VersionDef;
}  // namespace pb

namespace checkpoint {

inline constexpr int kBundleVersion = 1;

// Throws kDataLoss, naming the index.
pb::BundleHeaderProto ParseBundleHeader(const std::string& path, std::string_view bytes);
pb::BundleEntryProto ParseBundleEntry(const std::string& path, std::string_view key, std::string_view bytes);
// Throws kInvalidArgument where the writer of a file wants no reader like this one.
void CheckVersion(const std::string& path, const pb::VersionDef& version);
// Written beside what stands there; whoever commits it puts it in that place.
std::unique_ptr<ReplacedFile> WriteBundleIndex(const FileSystem& files, const std::string& prefix,
                                               const pb::BundleHeaderProto& header,
                                               const std::map<std::string, pb::BundleEntryProto>& entries);

}  // namespace checkpoint
}  // namespace plumb
