#include "backends/library/library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <vector>

#include "spec/core/thread_annotations.h"

namespace plumb::library {
namespace {

constexpr char kEntry[] = "plumb_backend";

// The loader would search its own folders for a name without a '/'.
std::string PathOf(std::string_view backend) {
  return backend.find('/') == std::string_view::npos ? Str("./", backend) : std::string(backend);
}

const PlumbBackend* Load(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) throw NotFound("backend library ", path, ": ", std::strerror(errno));
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw FailedPrecondition("backend library ", path, " cannot be loaded: ", dlerror());
  const auto entry = reinterpret_cast<decltype(&plumb_backend)>(dlsym(handle, kEntry));
  if (entry == nullptr) {
    throw FailedPrecondition("backend library ", path, " has no function ", kEntry,
                             "(): export it as plumb_backend.h declares it");
  }
  return entry();
}

// The first function that is missing; null when all are there that have to be.
const char* MissingFunction(const PlumbBackend& functions) {
  const std::pair<const char*, bool> needed[] = {
      {"has_kernel", functions.has_kernel != nullptr},
      {"create", functions.create != nullptr},
      {"destroy", functions.destroy != nullptr},
      {"extend", functions.extend != nullptr},
      {"run", functions.run != nullptr},
      {"reset", functions.reset != nullptr},
      {"close", functions.close != nullptr},
      {"make_callable", functions.make_callable != nullptr || functions.run_callable == nullptr},
      {"run_callable", functions.run_callable != nullptr || functions.make_callable == nullptr},
      {"destroy_callable", functions.destroy_callable != nullptr || functions.make_callable == nullptr},
      {"partial_setup", functions.partial_setup != nullptr || functions.partial_run == nullptr},
      {"partial_run", functions.partial_run != nullptr || functions.partial_setup == nullptr},
  };
  for (const auto& [name, is_there] : needed) {
    if (!is_there) return name;
  }
  return nullptr;
}

// How much of PlumbBackend there was in a version.
size_t BytesIn(uint32_t version) { return version == 1 ? offsetof(PlumbBackend, partial_setup) : sizeof(PlumbBackend); }

}  // namespace

bool IsLibrary(std::string_view backend) {
  return backend.find('/') != std::string_view::npos || backend.ends_with(".so");
}

const Library& Library::Open(std::string_view path) {
  static Mutex mutex;
  static auto& opened = *new std::map<std::string, std::unique_ptr<const Library>, std::less<>>;
  MutexLock lock(mutex);
  const auto known = opened.find(path);
  if (known != opened.end()) return *known->second;
  std::unique_ptr<const Library> library(new Library(PathOf(path)));
  return *opened.emplace(path, std::move(library)).first->second;
}

Library::Library(std::string path) : path_(std::move(path)) {
  const PlumbBackend* const given = Load(path_);
  if (given == nullptr) throw FailedPrecondition("backend library ", path_, ": ", kEntry, "() answers null");
  if (given->version < 1 || given->version > PLUMB_BACKEND_VERSION) {
    throw FailedPrecondition("backend library ", path_, " was made for version ", given->version,
                             " of plumb_backend.h, and this program takes versions 1 to ", PLUMB_BACKEND_VERSION,
                             ": build it again with the header of this program");
  }
  if (given->size < offsetof(PlumbBackend, has_kernel)) {
    throw FailedPrecondition("backend library ", path_, " says that its PlumbBackend has ", given->size,
                             " bytes: set size to sizeof(PlumbBackend)");
  }
  std::memcpy(&functions_, given, std::min<size_t>(given->size, BytesIn(given->version)));
  if (const char* const missing = MissingFunction(functions_)) {
    throw FailedPrecondition("backend library ", path_, " has no ", missing, "(): its PlumbBackend holds null there");
  }
}

bool Library::HasKernel(std::string_view op, const AttrMap& types) const {
  std::vector<PlumbAttrType> given;
  for (const auto& [attr, value] : types) {
    if (const DType* type = value.template Get<DType>()) given.push_back({attr.c_str(), static_cast<int32_t>(*type)});
  }
  const int32_t answer = functions_.has_kernel(std::string(op).c_str(), given.data(), given.size());
  if (answer != 0 && answer != 1) throw Fault(answer, " where it was asked for a kernel of ", op, ": 0 or 1 is needed");
  return answer == 1;
}

}  // namespace plumb::library
