#include "backends/fences.h"

#include "fastpath/memory/allocator.h"
#include "spec/core/fences.h"

namespace plumb {

void PutUpFences() {
  Fences::PutUp();
  fast::GiveBackKeptMemory();
}

}  // namespace plumb
