// The cuDNN of this machine. It stays loaded, as the module does.
#include <dlfcn.h>

#include "fastpath/gpu/lib/dnn/cudnn_functions.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Opened {
  void* library = nullptr;
  std::string why;
};

// Without a number in its name it may be of any version: whoever asks says so then.
const Opened& Library() {
  static const Opened opened = [] {
    Opened made;
    for (const char* const name : {"libcudnn.so.9", "libcudnn.so"}) {
      made.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (made.library != nullptr) return made;
      const char* const why = dlerror();
      if (made.why.empty()) made.why = why == nullptr ? name : why;
    }
    return made;
  }();
  return opened;
}

}  // namespace

FindFunction OpenCudnn(std::string* why) {
  if (Library().library == nullptr) {
    *why = Library().why;
    return nullptr;
  }
  return [](const char* name) { return dlsym(Library().library, name); };
}

}  // namespace plumb::fast::GPU_NAMESPACE
