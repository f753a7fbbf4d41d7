#include "fastpath/device/variable_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fastpath/device/device.h"
#include "fastpath/device/variable.h"
#include "fastpath/memory/inside.h"

#if defined(__SANITIZE_THREAD__)
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* memory, size_t bytes,
                                        const char* description);
#endif

namespace plumb::fast {
namespace {

struct VariableBuffer : Buffer {
  explicit VariableBuffer(Tensor memory) : content(std::move(memory)) {
    data = content.mutable_raw();
    bytes = content.bytes();
    space = content.buffer() == nullptr ? nullptr : content.buffer()->space;
    is_variable = true;
    if (IsWide(content.dtype())) guard = &mutex;
    release = [](Buffer* self) { delete static_cast<VariableBuffer*>(self); };
  }

  Tensor content;
  Mutex mutex;
};

// The one place where ThreadSanitizer is told that elements of up to eight bytes may race. It would remember the
// addresses for ever, so under it such memory is never used for anything else.
Tensor MemoryThatMayRace(Tensor content) {
#if defined(__SANITIZE_THREAD__)
  if (IsOnHost(content) && !IsWide(content.dtype()) && content.bytes() > 0) {
    Buffer* const buffer = NewHeapBuffer(content.bytes());
    buffer->Ref();
    AnnotateBenignRaceSized(__FILE__, __LINE__, buffer->data, content.bytes(), "elements of a variable (rule R33)");
    Tensor annotated(content.dtype(), content.shape(), buffer);
    CopyElements(content, annotated);
    return annotated;
  }
#endif
  return content;
}

}  // namespace

bool IsWide(DType dtype) { return ElementSize(dtype) == 0 || ElementSize(dtype) > 8; }

Tensor NewVariableBuffer(Tensor content) {
  content = MemoryThatMayRace(std::move(content));
  const DType dtype = content.dtype();
  Shape shape = content.shape();
  return Tensor(dtype, std::move(shape), new VariableBuffer(std::move(content)));
}

Tensor CopyOf(const Tensor& tensor) {
  const Inside* const inside = Inside::Current();
  if (inside != nullptr && inside->IsHere(tensor)) {
    Tensor copy = inside->New(tensor.dtype(), tensor.shape());
    inside->Copy(tensor, copy);
    return copy;
  }
  if (!IsOnHost(tensor)) return static_cast<const DeviceMemory*>(tensor.buffer()->space)->CopyToHost(tensor);
  Tensor copy = Allocate(tensor.dtype(), tensor.shape());
  const GuardLock guard(tensor);
  CopyElements(tensor, copy);
  return copy;
}

void CopyElements(const Tensor& from, Tensor& to) {
  if (const Inside* const inside = Inside::Current(); inside != nullptr && inside->IsHere(to)) {
    return inside->Copy(from, to);
  }
  if (ElementSize(from.dtype()) > 0) {
    if (from.bytes() > 0) std::memmove(to.mutable_raw(), from.raw(), from.bytes());
    return;
  }
  VisitType(from.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = from.data<T>();
    std::copy(elements.begin(), elements.end(), to.mutable_data<T>().begin());
  });
}

Tensor Unaliased(const Tensor& tensor) { return tensor.is_alias() ? CopyOf(tensor) : tensor; }

}  // namespace plumb::fast
