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

void AppendQuoted(const std::string& string, std::string& text) {
  text += '"';
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
  text += '"';
}

template <class T>
void AppendElement(const T& element, std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    AppendQuoted(element, text);
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

// Prints axis by axis, moving over the elements as it goes.
template <class T>
class Printer {
 public:
  Printer(const Tensor& tensor, int64_t ends, std::string& text)
      : elements_(static_cast<const T*>(tensor.raw())), shape_(tensor.shape()), ends_(ends), text_(text) {}

  void Print(int axis, int64_t first) {
    if (axis == shape_.rank()) return AppendElement(elements_[first], text_);
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
  constexpr auto kPrinted = FloatTypes() + IntegerTypes() + Types<bool, std::string, Qint8, Quint8, Qint16, Quint16>();
  const bool printed = VisitOneOf(kPrinted, tensor.dtype(), false, [&](auto tag) {
    Printer<typename decltype(tag)::Type>(tensor, ends, text).Print(0, 0);
    return true;
  });
  if (!printed) AppendQuestionMarks(ends, tensor, text);
}

}  // namespace plumb::fast::cpu
