#include "fastpath/cpu/lib/state/variant_arithmetic.h"

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/state/optional_value.h"
#include "fastpath/cpu/lib/state/ragged_variant.h"
#include "fastpath/cpu/lib/state/tensor_list.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/device.h"
#include "fastpath/memory/queued_inside.h"
#include "spec/core/variant_codec.h"

namespace plumb::fast::cpu {
namespace {

Tensor QueuedSum(const QueuedInside& inside, const Tensor& a, const Tensor& b) {
  Tensor sum = inside.Held(CopyOf(a));
  if (sum.elements() > 0) inside.Add(sum, b);
  return sum;
}

Tensor SumOfSeen(ThreadPool& pool, BinaryLoop add, const Tensor& a, const Tensor& b) {
  const DType type = a.dtype();
  if (IsHalfWidth(type)) {
    Tensor wide = Allocate(DType::kFloat, a.shape());
    const Tensor x = AsFloat(pool, a), y = AsFloat(pool, b);
    add(x.raw(), y.raw(), wide.mutable_raw(), a.elements(), Operands::kBoth);
    return RoundedTo(pool, type, std::move(wide));
  }
  Tensor sum = Allocate(type, a.shape());
  char* const to = static_cast<char*>(sum.mutable_raw());
  const auto size = static_cast<int64_t>(ElementSize(type));
  pool.ParallelFor(a.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
    add(static_cast<const char*>(a.raw()) + begin * size, static_cast<const char*>(b.raw()) + begin * size,
        to + begin * size, end - begin, Operands::kBoth);
  });
  return sum;
}

Tensor Sum(ThreadPool& pool, const Tensor& a, const Tensor& b) {
  const DType type = a.dtype();
  const BinaryLoop add = IsFloating(type) || IsComplex(type) || IsInteger(type) ? AddLoop(ComputeType(type)) : nullptr;
  Require(add != nullptr, "values of ", DTypeName(type), " in variants cannot be added up");
  if (const QueuedInside* const inside = QueuedInside::Current()) return QueuedSum(*inside, a, b);
  return HeldOf(SumOfSeen(pool, add, SeenHere(a), SeenHere(b)));
}

Tensor SumOf(ThreadPool& pool, const Tensor& a, const Tensor& b) {
  if (!a.IsSet()) return b;
  if (!b.IsSet()) return a;
  Require(a.dtype() == b.dtype(), "values of ", DTypeName(a.dtype()), " and ", DTypeName(b.dtype()),
          " cannot be added up");
  Require(a.shape() == b.shape(), "values of the shapes ", a.shape().ToString(), " and ", b.shape().ToString(),
          " cannot be added up");
  if (a.dtype() != DType::kVariant) return Sum(pool, a, b);
  Tensor sum = Allocate(DType::kVariant, a.shape());
  for (size_t i = 0; i < static_cast<size_t>(a.elements()); ++i) {
    sum.mutable_data<Variant>()[i] = SumOfVariants(pool, a.data<Variant>()[i], b.data<Variant>()[i]);
  }
  return sum;
}

Tensor ZeroOf(ThreadPool& pool, const Tensor& tensor) {
  if (!tensor.IsSet()) return tensor;
  const DType type = tensor.dtype();
  Require(type != DType::kString && type != DType::kResource, "there is no zero for elements of ", DTypeName(type));
  if (type != DType::kVariant) return HeldOf(AllocateZeros(pool, type, tensor.shape()));
  Tensor zeros = Allocate(type, tensor.shape());
  const auto from = tensor.data<Variant>();
  for (size_t i = 0; i < from.size(); ++i) zeros.mutable_data<Variant>()[i] = ZeroVariant(pool, from[i]);
  return zeros;
}

std::vector<Tensor> Sums(ThreadPool& pool, const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  Require(a.size() == b.size(), "variants with ", a.size(), " and ", b.size(), " values cannot be added up");
  std::vector<Tensor> sums;
  for (size_t i = 0; i < a.size(); ++i) sums.push_back(SumOf(pool, a[i], b[i]));
  return sums;
}

std::vector<Tensor> ZerosOf(ThreadPool& pool, const std::vector<Tensor>& tensors) {
  std::vector<Tensor> zeros;
  for (const Tensor& tensor : tensors) zeros.push_back(ZeroOf(pool, tensor));
  return zeros;
}

Variant SumOfLists(ThreadPool& pool, const TensorList& a, const TensorList& b) {
  Require(a.element_dtype == b.element_dtype, "lists of ", DTypeName(a.element_dtype), " and of ",
          DTypeName(b.element_dtype), " cannot be added up");
  auto sum = std::make_shared<TensorList>();
  sum->element_dtype = a.element_dtype;
  sum->element_shape = a.element_shape.MergeWith(b.element_shape);
  sum->elements = Sums(pool, a.elements, b.elements);
  return AsVariant(std::move(sum));
}

// The numbers of a held tensor, to be read by the thread that asks.
Tensor ToRead(const Tensor& held) {
  if (QueuedInside::Current() == nullptr || IsOnHost(held)) return SeenHere(held);
  return static_cast<const DeviceMemory*>(held.buffer()->space)->CopyToHost(held);
}

bool SameSplits(const Tensor& of_a, const Tensor& of_b) {
  if (of_a.dtype() != of_b.dtype() || of_a.elements() != of_b.elements()) return false;
  const Tensor a = ToRead(of_a), b = ToRead(of_b);
  for (int64_t i = 0; i < a.elements(); ++i) {
    if (IntAt(a, i) != IntAt(b, i)) return false;
  }
  return true;
}

Variant SumOfRagged(ThreadPool& pool, const RaggedVariant& a, const RaggedVariant& b) {
  bool is_same = a.ragged_rank() == b.ragged_rank();
  for (size_t i = 0; is_same && i < a.ragged_rank(); ++i) is_same = SameSplits(a.splits(i), b.splits(i));
  Require(is_same, "ragged tensors whose splits differ cannot be added up");
  std::vector<Tensor> parts = a.parts();
  parts.back() = SumOf(pool, a.values(), b.values());
  return RaggedVariant::Of(std::move(parts));
}

Variant SumOfOptionals(ThreadPool& pool, const OptionalValue& a, const OptionalValue& b) {
  Require(a.has_value() == b.has_value(), "an optional that holds something cannot be added to one that holds nothing");
  if (!a.has_value()) return AsVariant(std::make_shared<const OptionalValue>());
  return AsVariant(std::make_shared<const OptionalValue>(Sums(pool, a.components(), b.components())));
}

// The payloads of both, where both hold a T.
template <class T>
std::pair<const T*, const T*> Both(const Variant& a, const Variant& b) {
  return {PayloadIn<T>(a), PayloadIn<T>(b)};
}

}  // namespace

Variant SumOfVariants(ThreadPool& pool, const Variant& a, const Variant& b) {
  if (const auto [x, y] = Both<TensorList>(a, b); x && y) return SumOfLists(pool, *x, *y);
  if (const auto [x, y] = Both<RaggedVariant>(a, b); x && y) return SumOfRagged(pool, *x, *y);
  if (const auto [x, y] = Both<OptionalValue>(a, b); x && y) return SumOfOptionals(pool, *x, *y);
  throw InvalidArgument("variants of type '", a.type_name, "' and '", b.type_name, "' cannot be added up");
}

Variant ZeroVariant(ThreadPool& pool, const Variant& variant) {
  if (const auto* const list = PayloadIn<TensorList>(variant)) {
    auto zeros = std::make_shared<TensorList>();
    zeros->element_dtype = list->element_dtype;
    zeros->element_shape = list->element_shape;
    zeros->elements = ZerosOf(pool, list->elements);
    return AsVariant(std::move(zeros));
  }
  if (const auto* const ragged = PayloadIn<RaggedVariant>(variant)) {
    std::vector<Tensor> parts = ragged->parts();
    parts.back() = ZeroOf(pool, ragged->values());
    return RaggedVariant::Of(std::move(parts));
  }
  if (const auto* const optional = PayloadIn<OptionalValue>(variant)) {
    if (!optional->has_value()) return variant;
    return AsVariant(std::make_shared<const OptionalValue>(ZerosOf(pool, optional->components())));
  }
  // A number, whose bytes are the metadata.
  for (const std::string_view number : {"bool", "double", "float", "int"}) {
    if (variant.type_name == number) return {variant.type_name, std::string(variant.metadata.size(), '\0')};
  }
  throw InvalidArgument("there is no zero for a variant of type '", variant.type_name, "'");
}

}  // namespace plumb::fast::cpu
