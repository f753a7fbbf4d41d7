// Whole files as strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb {

// Throws kNotFound when there is no such file, kResourceExhausted when it is larger than `limit` bytes,
// kPermissionDenied or kUnknown when it cannot be read; the message names it.
std::string ReadFile(const std::string& path, int64_t limit = INT64_MAX);
// Creates or replaces the file.
void WriteFile(const std::string& path, std::string_view content);

}  // namespace plumb
