// A shape (or anything with ToString) as a piece of an error text that is printed only when the error is thrown.
#pragma once

#include <string>

namespace plumb::fast::cpu {

template <class T>
struct Printed {
  explicit Printed(const T& printed) : value(printed) {}
  operator std::string() const { return value.ToString(); }  // NOLINT: converts where a piece of text is wanted
  const T& value;
};

}  // namespace plumb::fast::cpu
