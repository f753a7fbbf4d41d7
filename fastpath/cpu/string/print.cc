#include "fastpath/cpu/string/print.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

// In `digits10` digits where they say this number again, else in as many as tell it from all others.
template <class T>
void AppendFloat(T number, std::string& text) {
  constexpr int kFew = std::numeric_limits<T>::digits10, kEnough = kFew + (std::is_same_v<T, float> ? 3 : 2);
  char buffer[40];
  const auto write = [&](int digits) {
    return std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general, digits).ptr;
  };
  const char* end = write(kFew);
  T again = 0;
  const auto read = std::from_chars(buffer, end, again);
  if (std::isfinite(number) && (read.ec != std::errc() || again != number)) end = write(kEnough);
  text.append(buffer, static_cast<size_t>(end - buffer));
}

void AppendEscaped(const std::string& string, std::string& text) {
  for (const char c : string) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      case '"':
      case '\'':
      case '\\':
        text += '\\';
        text += c;
        break;
      default:
        if (byte >= 0x20 && byte != 0x7f) {
          text += c;
        } else {
          text += '\\';
          for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + (byte >> shift & 7));
        }
    }
  }
}

template <class T>
void AppendElement(const T& element, std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    AppendEscaped(element, text);
  } else if constexpr (std::is_same_v<T, bool>) {
    text += element ? '1' : '0';
  } else if constexpr (std::is_same_v<T, double>) {
    AppendFloat(element, text);
  } else if constexpr (std::is_same_v<T, float> || kIsFloat16<T>) {
    AppendFloat(static_cast<float>(element), text);
  } else if constexpr (std::is_integral_v<T>) {
    AppendInteger(element, text);
  } else {
    AppendInteger(element.value, text);  // quantized
  }
}

// The ends of each axis, with texts in quotes: axis by axis, moving over the elements as it goes.
template <class T>
class Printer {
 public:
  Printer(const Tensor& tensor, int64_t ends, std::string& text)
      : elements_(static_cast<const T*>(tensor.raw())), shape_(tensor.shape()), ends_(ends), text_(text) {}

  void Print(int axis, int64_t first) {
    if (axis == shape_.rank()) return AppendOne(elements_[first]);
    const int64_t count = shape_[axis], step = ElementsIn(shape_, axis + 1, shape_.rank());
    text_ += '[';
    for (int64_t i = 0; i < count; ++i) {
      if (i >= ends_ && i < count - ends_) {  // left out
        Space(axis);
        text_ += "...";
        i = count - ends_ - 1;
        continue;
      }
      if (i > 0) Space(axis);
      Print(axis + 1, first + i * step);
    }
    text_ += ']';
  }

 private:
  void AppendOne(const T& element) {
    constexpr bool kQuotes = std::is_same_v<T, std::string>;
    if (kQuotes) text_ += '"';
    AppendElement(element, text_);
    if (kQuotes) text_ += '"';
  }
  void Space(int axis) {
    const auto inner = static_cast<size_t>(shape_.rank() - axis - 1);
    text_.append(inner, '\n');
    text_.append(inner > 0 ? static_cast<size_t>(axis) + 1 : 1, ' ');
  }

  const T* const elements_;
  const Shape shape_;
  const int64_t ends_;
  std::string& text_;
};

// The first elements, in one pass over them: brackets open and close where the rows of an axis begin and end.
template <class T>
void AppendFirstOf(const Tensor& tensor, int64_t count, std::string& text) {
  const auto* const elements = static_cast<const T*>(tensor.raw());
  const Shape& shape = tensor.shape();
  // How many brackets are between element i − 1 and i, the outermost axis having none.
  const auto brackets = [&](int64_t i) {
    size_t found = 0;
    int64_t size = 1;
    for (int axis = shape.rank() - 1; axis > 0; --axis) {
      size *= shape[axis];
      if (i % size == 0) ++found;
    }
    return found;
  };
  for (int64_t i = 0; i < count; ++i) {
    const size_t opened = brackets(i);
    if (i > 0) text.append(opened, ']');
    text.append(opened, '[');
    if (i > 0 && opened == 0) text += ' ';
    AppendElement(elements[i], text);
  }
  if (count == 0) return;
  if (brackets(count) == 0 && shape.rank() > 1) text += "...";
  text.append(static_cast<size_t>(std::max(shape.rank() - 1, 0)), ']');
}

constexpr auto kPrinted = FloatTypes() + IntegerTypes() + Types<bool, std::string, Qint8, Quint8, Qint16, Quint16>();

void AppendQuestionMarks(int64_t count, const Tensor& tensor, std::string& text) {
  if (tensor.rank() == 0) {
    text += '?';
    return;
  }
  text += '[';
  for (int64_t i = 0; i < count; ++i) text += i == 0 ? "?" : " ?";
  text += count < tensor.elements() ? "...]" : "]";
}

}  // namespace

void AppendSummary(const Tensor& tensor, int64_t summarize, std::string& text) {
  const int64_t elements = tensor.elements(), ends = summarize < 0 ? elements : std::min(summarize, elements);
  if (ends == 0 && tensor.dtype() == DType::kBool) return;
  if (ends == 0 && tensor.rank() == 0) {
    text += "...";
    return;
  }
  const bool printed = VisitOneOf(kPrinted, tensor.dtype(), false, [&](auto tag) {
    Printer<typename decltype(tag)::Type>(tensor, ends, text).Print(0, 0);
    return true;
  });
  if (!printed) AppendQuestionMarks(ends, tensor, text);
}

void AppendFirst(const Tensor& tensor, int64_t most, std::string& text) {
  const int64_t elements = tensor.elements(), count = most < 0 ? elements : std::min(most, elements);
  if (count == 0 && tensor.dtype() == DType::kBool) return;
  const bool printed = VisitOneOf(kPrinted, tensor.dtype(), false, [&](auto tag) {
    AppendFirstOf<typename decltype(tag)::Type>(tensor, count, text);
    return true;
  });
  for (int64_t i = 0; i < count && !printed; ++i) text += i == 0 ? "?" : " ?";
  if (count < elements) text += "...";
}

}  // namespace plumb::fast::cpu
