#include "spec/formats/npy_header.h"

#include <charconv>
#include <string>
#include <utility>

#include "spec/core/status.h"

namespace plumb {
namespace {

class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  NpyHeader Read() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    Expect('{');
    while (!Take('}')) {
      const std::string_view key = Quoted();
      Expect(':');
      if (key == "descr") {
        header.element = Element();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.is_fortran = Boolean();
        has_order = true;
      } else if (key == "shape") {
        header.dims = Dims();
        has_shape = true;
      } else {
        Fail(Str("'", key, "' is none of its keys"));
      }
      if (!Take(',') && (rest_.empty() || rest_.front() != '}')) Fail("a comma is missing");
    }
    if (!has_descr || !has_order || !has_shape) Fail("one of 'descr', 'fortran_order' and 'shape' is missing");
    return header;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw InvalidArgument(name_, ": the header is not one of NumPy's: ", what);
  }

  void SkipSpace() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool Take(char wanted) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    SkipSpace();
    return true;
  }
  void Expect(char wanted) {
    if (!Take(wanted)) Fail(Str("'", wanted, "' is missing before '", rest_.substr(0, 20), "'"));
  }

  std::string_view Quoted() {
    const char quote = !rest_.empty() && rest_.front() == '"' ? '"' : '\'';
    Expect(quote);
    const size_t end = rest_.find(quote);
    if (end == std::string_view::npos) Fail("a text does not end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    SkipSpace();
    return text;
  }

  NpyElement Element() {
    if (!rest_.empty() && rest_.front() == '[') return Record();
    const std::string_view descr = Quoted();
    NpyElement element;
    const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos;
    if (has_order) element.is_big_endian = descr.front() == '>';
    const std::string_view type = descr.substr(has_order ? 1 : 0);
    if (type.empty()) Fail(Str("'", descr, "' is no type"));
    element.kind = type.front();
    const auto [end, error] = std::from_chars(type.data() + 1, type.data() + type.size(), element.bytes);
    if (std::string_view("biufcSU").find(element.kind) == std::string_view::npos || error != std::errc() ||
        end != type.data() + type.size()) {
      throw Unimplemented(name_, ": elements of type '", descr,
                          "' are not read; numbers, booleans, byte strings and texts are: save texts that are "
                          "objects as array.astype('S')");
    }
    return element;
  }

  NpyElement Record() {
    NpyElement element{.kind = kRecord};
    if (rest_.starts_with(kRecordsBegin)) {
      const char* const begin = rest_.data() + kRecordsBegin.size();
      const auto [end, error] = std::from_chars(begin, rest_.data() + rest_.size(), element.bytes);
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      if (error == std::errc() && rest_.starts_with(kRecordsEnd) && element.bytes <= SIZE_MAX - kLengthBytes) {
        rest_.remove_prefix(kRecordsEnd.size());
        SkipSpace();
        element.bytes += kLengthBytes;
        return element;
      }
    }
    throw Unimplemented(name_, ": arrays of records are not read; save each field by itself");
  }

  bool Boolean() {
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
      SkipSpace();
      return value;
    }
    Fail("'fortran_order' is neither True nor False");
  }

  std::vector<int64_t> Dims() {
    std::vector<int64_t> dims;
    Expect('(');
    while (!Take(')')) {
      int64_t dim = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), dim);
      if (error != std::errc() || dim < 0) Fail("a dimension is not a whole number from zero on");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      dims.push_back(dim);
      if (!Take(',') && (rest_.empty() || rest_.front() != ')')) Fail("the shape does not end");
    }
    return dims;
  }

  std::string_view rest_, name_;
};

}  // namespace

NpyHeader ReadNpyHeader(std::string_view text, std::string_view name) { return HeaderReader(text, name).Read(); }

}  // namespace plumb
