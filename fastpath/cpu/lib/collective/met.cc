#include "fastpath/cpu/lib/collective/met.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <type_traits>

#include "fastpath/cpu/lib/collective/merge_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/caught.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kPiece = 4096;  // elements whose running result stays in the first cache

template <class T>
void DivideBy(T divisor, void* elements, int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    QuotientLoop(DTypeOf<T>)(elements, &divisor, elements, n, Operands::kScalarY);
  } else {
    T* const at = static_cast<T*>(elements);
    for (int64_t i = 0; i < n; ++i) at[i] /= divisor;
  }
}

void Divide(DType type, void* elements, int64_t n, int64_t divisor) {
  switch (type) {
    case DType::kFloat:
      return DivideBy(static_cast<float>(divisor), elements, n);
    case DType::kDouble:
      return DivideBy(static_cast<double>(divisor), elements, n);
    case DType::kInt32:
      return DivideBy(static_cast<int32_t>(divisor), elements, n);
    default:
      return DivideBy(divisor, elements, n);
  }
}

class Merging {
 public:
  Merging(const CollectiveMember& member, MergePart part, const void* before, std::span<const void* const> parts,
          void* out)
      : type_(member.dtype),
        computed_(ComputeType(member.dtype)),
        size_(static_cast<int64_t>(ElementSize(member.dtype))),
        computed_size_(static_cast<int64_t>(ElementSize(computed_))),
        ends_(part == MergePart::kToTheEnd),
        divisor_(member.divides && ends_ ? member.group_size : 1),
        loop_(MergeLoop(member.merge, computed_)),
        before_(static_cast<const char*>(before)),
        parts_(parts),
        out_(static_cast<char*>(out)) {}

  void Run(int64_t begin, int64_t end) const {
    const int64_t piece = IsHalfWidth(type_) ? kFloatPiece : kPiece;
    for (int64_t at = begin; at < end; at += piece) {
      const int64_t n = std::min(piece, end - at);
      IsHalfWidth(type_) ? RunHalf(at, n) : RunFull(at, n);
    }
  }

 private:
  const char* Part(size_t member, int64_t at) const { return static_cast<const char*>(parts_[member]) + at * size_; }
  void Finish(void* merged, int64_t n) const {
    if (divisor_ != 1) Divide(computed_, merged, n, divisor_);
  }

  void RunFull(int64_t at, int64_t n) const {
    char* const merged = out_ + at * size_;
    const char* so_far = before_ != nullptr ? before_ + at * size_ : Part(0, at);
    const size_t first = before_ != nullptr ? 0 : 1;
    if (first == parts_.size()) std::memmove(merged, so_far, static_cast<size_t>(n * size_));
    for (size_t i = first; i < parts_.size(); ++i) {
      loop_(so_far, Part(i, at), merged, n, Operands::kBoth);
      so_far = merged;
    }
    Finish(merged, n);
  }

  void RunHalf(int64_t at, int64_t n) const {
    float merged[kFloatPiece], next[kFloatPiece];
    const auto bytes = static_cast<size_t>(n * computed_size_);
    if (before_ != nullptr) std::memcpy(merged, before_ + at * computed_size_, bytes);
    for (size_t i = 0; i < parts_.size(); ++i) {
      const bool is_first = i == 0 && before_ == nullptr;
      ToFloat(type_, Part(i, at), is_first ? merged : next, n);
      if (!is_first) loop_(merged, next, merged, n, Operands::kBoth);
    }
    Finish(merged, n);
    if (ends_) {
      FromFloat(type_, merged, out_ + at * size_, n);
    } else {
      std::memcpy(out_ + at * computed_size_, merged, bytes);
    }
  }

  const DType type_, computed_;
  const int64_t size_, computed_size_;
  const bool ends_;
  const int64_t divisor_;
  const BinaryLoop loop_;
  const char* const before_;
  const std::span<const void* const> parts_;
  char* const out_;
};

Tensor Reduced(ThreadPool& pool, const CollectiveMember& member, const std::vector<Tensor>& inputs) {
  Tensor result = Allocate(member.dtype, member.shape);
  std::vector<const void*> parts;
  for (const Tensor& input : inputs) parts.push_back(input.raw());
  MergeInOrder(pool, member, parts, result.mutable_raw(), member.shape.elements());
  return result;
}

Tensor Gathered(const CollectiveMember& member, const std::vector<Tensor>& inputs) {
  Tensor result = Allocate(member.dtype, GatheredShape(member));
  char* to = static_cast<char*>(result.mutable_raw());
  for (const Tensor& input : inputs) {
    if (input.bytes() > 0) std::memcpy(to, input.raw(), input.bytes());
    to += input.bytes();
  }
  return result;
}

}  // namespace

void MergeInOrder(ThreadPool& pool, const CollectiveMember& member, std::span<const void* const> parts, void* out,
                  int64_t n) {
  MergeInOrder(pool, member, MergePart::kToTheEnd, nullptr, parts, out, n);
}

void MergeInOrder(ThreadPool& pool, const CollectiveMember& member, MergePart part, const void* before,
                  std::span<const void* const> parts, void* out, int64_t n) {
  const Merging merging(member, part, before, parts, out);
  pool.ParallelFor(n, GrainFor(static_cast<int64_t>(parts.size())),
                   [&](int64_t begin, int64_t end) { merging.Run(begin, end); });
}

Status WhatComesOf(ThreadPool& pool, const CollectiveMember& member, std::vector<Tensor> inputs, Tensor& result) {
  try {
    if (member.kind == CollectiveKind::kReduce) result = Reduced(pool, member, inputs);
    if (member.kind == CollectiveKind::kGather) result = Gathered(member, inputs);
    if (member.kind == CollectiveKind::kBroadcast) result = std::move(inputs[0]);
    return OkStatus();
  } catch (const std::exception&) {
    return CaughtStatus();
  }
}

Shape GatheredShape(const CollectiveMember& member) {
  std::vector<int64_t> dims = member.shape.ToVector();
  const auto rows = CheckedMultiply(dims[0], member.group_size);
  if (!rows) throw ResourceExhausted("what ", member.group_size, " members gather is larger than any memory");
  dims[0] = *rows;
  return Shape(std::span<const int64_t>(dims));
}

}  // namespace plumb::fast::cpu
