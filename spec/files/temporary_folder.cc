#include "spec/files/temporary_folder.h"

#include <cstdlib>
#include <filesystem>

#include "spec/core/status.h"

namespace plumb {

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  path_ = Str(base == nullptr ? "/tmp" : base, "/plumb-XXXXXX");
  if (mkdtemp(path_.data()) == nullptr) throw Error(Code::kUnknown, Str("cannot make the folder ", path_));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a destructor cannot report it
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace plumb
