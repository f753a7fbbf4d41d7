#include "reference/numbers/numbers_io.h"

#include <algorithm>
#include <cstring>

namespace plumb::reference {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 28;

double At(const Sidecar& sidecar, size_t i) { return sidecar == nullptr ? 0 : (*sidecar)[i]; }

// Collects sidecars, which stay null as long as all entries are zero.
class SidecarWriter {
 public:
  explicit SidecarWriter(size_t size) : size_(size) {}
  void Set(size_t i, double entry) {
    if (entry == 0) return;
    if (entries_ == nullptr) entries_ = std::make_shared<std::vector<double>>(size_);
    (*entries_)[i] = entry;
  }
  Sidecar Take() { return std::move(entries_); }

 private:
  size_t size_;
  std::shared_ptr<std::vector<double>> entries_;
};

// The bound of what is stored, given the number before rounding. A step that carries an error is rounded by the other
// implementation too, at another place: hence the output rounding, unless the steps of the formula have counted it.
double StoredBound(DType dtype, Real number, double stored) {
  if (number.e == INFINITY) return INFINITY;
  if (!std::isfinite(number.v) || !std::isfinite(stored)) return 0;
  double e = std::isnan(number.e) ? INFINITY : number.e;
  const double unit = UnitRoundoff(dtype);
  if (e > 0) {
    if (arithmetic.unit < unit) e += unit * (std::fabs(number.v) + e);
    e += std::fabs(number.v - stored);
  }
  if (number.v != 0 && std::fabs(number.v) < SmallestNormal(dtype)) e += std::fabs(number.v);
  return e;
}

struct StoredReal {
  double value, bound;
};
StoredReal StoreOne(DType dtype, Real number) {
  const double stored = RoundTo(dtype, number.v);
  return {stored, arithmetic.bounds ? StoredBound(dtype, number, stored) : 0};
}

template <class T>
double ToDouble(T element) {
  return static_cast<double>(element);
}
template <class T>
T FromDouble(double number) {
  if constexpr (std::is_same_v<T, double>) return number;
  return T(static_cast<float>(number));
}

template <class T>
Integer ToInteger(T element) {
  if constexpr (requires { element.value; }) return Integer(element.value);
  if constexpr (std::is_integral_v<T>) return Integer(element);
  throw Internal("an element that is no whole number was read as one");
}
template <class T>
T FromInteger(Integer number) {
  if constexpr (std::is_same_v<T, bool>) return number.v != 0;
  if constexpr (requires(T t) { t.value; }) return T{static_cast<decltype(T::value)>(number.v)};
  if constexpr (std::is_integral_v<T>) return static_cast<T>(number.v);
  throw Internal("a whole number was stored in elements of another kind");
}

// Calls f(TypeTag<T>{}) for the C++ type of a floating dtype.
template <class F>
void VisitFloating(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kFloat:
      return f(TypeTag<float>{});
    case DType::kDouble:
      return f(TypeTag<double>{});
    case DType::kHalf:
      return f(TypeTag<Half>{});
    case DType::kBfloat16:
      return f(TypeTag<BFloat16>{});
    default:
      throw Internal("elements of type ", DTypeName(dtype), " were taken for real numbers");
  }
}

}  // namespace

void CheckResultSize(const Shape& shape) {
  if (shape.elements() > kMaxElements) {
    throw ResourceExhausted("a result of shape ", shape.ToString(), " has more elements than the reference holds (",
                            kMaxElements, ")");
  }
}

double RoundTo(DType dtype, double number) {
  switch (dtype) {
    case DType::kFloat:
    case DType::kComplex64:
      return static_cast<float>(number);
    case DType::kHalf:
      return static_cast<double>(Half(static_cast<float>(number)));
    case DType::kBfloat16:
      return static_cast<double>(BFloat16(static_cast<float>(number)));
    default:
      return number;
  }
}

Integer Wrap(Integer number, DType dtype) {
  return VisitType(dtype, [&](auto tag) -> Integer {
    using T = typename decltype(tag)::Type;
    return ToInteger(FromInteger<T>(number));
  });
}

template <>
Array<Real> Load(const Value& value) {
  Array<Real> array{value.tensor.dtype(), value.tensor.shape(), {}};
  array.at.resize(static_cast<size_t>(array.shape.elements()));
  VisitFloating(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = value.tensor.data<T>();
    for (size_t i = 0; i < array.at.size(); ++i) array.at[i].v = ToDouble(elements[i]);
  });
  for (size_t i = 0; value.bound != nullptr && i < array.at.size(); ++i) array.at[i].e = At(value.bound, i);
  for (size_t i = 0; value.tangent != nullptr && i < array.at.size(); ++i) array.at[i].d = At(value.tangent, i);
  return array;
}

template <>
Array<Complex> Load(const Value& value) {
  Array<Complex> array{value.tensor.dtype(), value.tensor.shape(), {}};
  array.at.resize(static_cast<size_t>(array.shape.elements()));
  const auto load = [&](auto elements) {
    for (size_t i = 0; i < array.at.size(); ++i) {
      array.at[i].re = {elements[i].real(), At(value.bound, 2 * i), At(value.tangent, 2 * i)};
      array.at[i].im = {elements[i].imag(), At(value.bound, 2 * i + 1), At(value.tangent, 2 * i + 1)};
    }
  };
  if (array.dtype == DType::kComplex64) {
    load(value.tensor.data<std::complex<float>>());
  } else {
    load(value.tensor.data<std::complex<double>>());
  }
  return array;
}

template <>
Array<Integer> Load(const Value& value) {
  Array<Integer> array{value.tensor.dtype(), value.tensor.shape(), {}};
  array.at.resize(static_cast<size_t>(array.shape.elements()));
  VisitType(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = value.tensor.data<T>();
    for (size_t i = 0; i < array.at.size(); ++i) array.at[i] = ToInteger<T>(elements[i]);
  });
  return array;
}

template <>
Value Store(const Array<Real>& array) {
  Tensor tensor(array.dtype, array.shape);
  SidecarWriter bound(array.at.size()), tangent(array.at.size());
  VisitFloating(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = tensor.mutable_data<T>();
    for (size_t i = 0; i < array.at.size(); ++i) {
      const StoredReal stored = StoreOne(array.dtype, array.at[i]);
      elements[i] = FromDouble<T>(stored.value);
      bound.Set(i, stored.bound);
      tangent.Set(i, array.at[i].d);
    }
  });
  return {std::move(tensor), bound.Take(), tangent.Take()};
}

template <>
Value Store(const Array<Complex>& array) {
  Tensor tensor(array.dtype, array.shape);
  SidecarWriter bound(2 * array.at.size()), tangent(2 * array.at.size());
  const auto store = [&](auto elements) {
    using Part = typename decltype(elements)::value_type::value_type;
    for (size_t i = 0; i < array.at.size(); ++i) {
      const StoredReal re = StoreOne(array.dtype, array.at[i].re), im = StoreOne(array.dtype, array.at[i].im);
      elements[i] = {static_cast<Part>(re.value), static_cast<Part>(im.value)};
      bound.Set(2 * i, re.bound);
      bound.Set(2 * i + 1, im.bound);
      tangent.Set(2 * i, array.at[i].re.d);
      tangent.Set(2 * i + 1, array.at[i].im.d);
    }
  };
  if (array.dtype == DType::kComplex64) {
    store(tensor.mutable_data<std::complex<float>>());
  } else {
    store(tensor.mutable_data<std::complex<double>>());
  }
  return {std::move(tensor), bound.Take(), tangent.Take()};
}

template <>
Value Store(const Array<Integer>& array) {
  Tensor tensor(array.dtype, array.shape);
  VisitType(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto elements = tensor.mutable_data<T>();
    for (size_t i = 0; i < array.at.size(); ++i) elements[i] = FromInteger<T>(array.at[i]);
  });
  return tensor;
}

Assembly::Assembly(DType dtype, const Shape& shape) : parts_(IsComplex(dtype) ? 2 : 1) {
  CheckResultSize(shape);
  tensor_ = Zeros(dtype, shape);
}

void Assembly::CopySidecar(std::unique_ptr<std::vector<double>>& mine, const Sidecar& from, int64_t to, int64_t at,
                           int64_t count) {
  if (from == nullptr && mine == nullptr) return;
  if (mine == nullptr) mine = std::make_unique<std::vector<double>>(parts_ * tensor_.elements());
  for (int64_t i = 0; i < parts_ * count; ++i) {
    (*mine)[parts_ * to + i] = from == nullptr ? 0 : (*from)[parts_ * at + i];
  }
}

void Assembly::Copy(int64_t to, const Value& from, int64_t at, int64_t count) {
  if (const size_t size = ElementSize(tensor_.dtype()); size > 0) {
    std::memcpy(static_cast<char*>(tensor_.mutable_raw()) + to * size,
                static_cast<const char*>(from.tensor.raw()) + at * size, count * size);
  } else {
    VisitType(tensor_.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      std::copy_n(from.tensor.data<T>().begin() + at, count, tensor_.mutable_data<T>().begin() + to);
    });
  }
  CopySidecar(bound_, from.bound, to, at, count);
  CopySidecar(tangent_, from.tangent, to, at, count);
}

Value Assembly::Take() {
  const auto shared = [](std::unique_ptr<std::vector<double>>& sidecar) -> Sidecar {
    return sidecar == nullptr ? nullptr : std::make_shared<const std::vector<double>>(std::move(*sidecar));
  };
  return {std::move(tensor_), shared(bound_), shared(tangent_)};
}

Value Gathered(const Value& value, const Shape& shape, std::span<const int64_t> positions) {
  Assembly result(value.tensor.dtype(), shape);
  for (size_t i = 0; i < positions.size(); ++i) result.Copy(static_cast<int64_t>(i), value, positions[i]);
  return result.Take();
}

Value Scattered(const Value& value, const Shape& shape, std::span<const int64_t> positions) {
  Assembly result(value.tensor.dtype(), shape);
  for (size_t i = 0; i < positions.size(); ++i) result.Copy(positions[i], value, static_cast<int64_t>(i));
  return result.Take();
}

Value Reshaped(const Value& value, const Shape& shape) {
  Value reshaped = value;
  reshaped.tensor = value.tensor.Reshaped(shape);
  return reshaped;
}

}  // namespace plumb::reference
