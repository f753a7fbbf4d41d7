#include "spec/files/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "spec/core/status.h"

namespace plumb {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

Error SystemError(std::string_view doing, const std::string& path, int error) {
  const Code code = error == ENOENT || error == ENOTDIR ? Code::kNotFound
                    : error == EACCES || error == EPERM ? Code::kPermissionDenied
                                                        : Code::kUnknown;
  return Error(code, Str("cannot ", doing, " ", path, ": ", std::strerror(error)));
}

}  // namespace

std::string ReadFile(const std::string& path, int64_t limit) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) throw SystemError("open", path, errno);
  std::string content;
  char block[1 << 16];
  while (const size_t got = std::fread(block, 1, sizeof(block), file.get())) {
    content.append(block, got);
    if (static_cast<int64_t>(content.size()) > limit) {
      throw ResourceExhausted(path, " is larger than ", limit, " bytes");
    }
  }
  if (std::ferror(file.get())) throw SystemError("read", path, errno);
  return content;
}

void WriteFile(const std::string& path, std::string_view content) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) throw SystemError("create", path, errno);
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fclose(file.release()) != 0) throw SystemError("write", path, errno);
}

}  // namespace plumb
