// A machine with little memory: of blocks that are larger than any that hostile inputs need honestly there is none, so
// that a size which an input names is refused at once instead of being filled.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kLargest = std::size_t{1} << 26;

void* Block(std::size_t size, std::size_t alignment) noexcept {
  if (size > kLargest) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size > 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* BlockOrThrow(std::size_t size, std::size_t alignment) {
  void* const block = Block(size, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t size) { return BlockOrThrow(size, 0); }
void* operator new[](std::size_t size) { return BlockOrThrow(size, 0); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Block(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Block(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return BlockOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return BlockOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Block(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Block(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept { std::free(block); }
