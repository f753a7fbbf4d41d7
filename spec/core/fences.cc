#include "spec/core/fences.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace plumb {
namespace {

struct FencedBuffer : Buffer {
  unsigned char* pages = nullptr;  // from the first fence to the last
  size_t size = 0;                 // of all of them

  static size_t page() {
    static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return size;
  }
  unsigned char* begin() const { return pages + page(); }
  unsigned char* end() const { return pages + size - page(); }

  void Check() const {
    auto* const first = static_cast<unsigned char*>(data);
    const auto holds = [](unsigned char byte) { return byte == kFenceByte; };
    const char* where = nullptr;
    if (!std::all_of(begin(), first, holds)) where = "before";
    if (!std::all_of(first + bytes, end(), holds)) where = "behind";
    if (where == nullptr) return;
    std::fprintf(stderr, "somebody wrote %s the %zu bytes of a tensor\n", where, bytes);
    std::abort();
  }
};

void Release(Buffer* buffer) {
  auto* const fenced = static_cast<FencedBuffer*>(buffer);
  fenced->Check();
  munmap(fenced->pages, fenced->size);
  delete fenced;
}

size_t RoundedUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

Buffer* NewFencedBuffer(size_t bytes) {
  const size_t page = FencedBuffer::page();
  const size_t own = RoundedUp(RoundedUp(bytes, kTensorAlignment), page);
  void* const pages = own < bytes || own > SIZE_MAX - 2 * page
                          ? MAP_FAILED
                          : mmap(nullptr, own + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw ResourceExhausted("no memory for a tensor of ", bytes, " bytes between fences");
  auto* const buffer = new FencedBuffer;
  buffer->pages = static_cast<unsigned char*>(pages);
  buffer->size = own + 2 * page;
  buffer->data = buffer->end() - RoundedUp(bytes, kTensorAlignment);
  buffer->bytes = bytes;
  buffer->release = Release;
  if (own > 0 && mprotect(buffer->begin(), own, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages, buffer->size);
    delete buffer;
    throw ResourceExhausted("no memory for a tensor of ", bytes, " bytes between fences");
  }
  std::memset(buffer->begin(), kFenceByte, own);
  return buffer;
}

}  // namespace plumb
