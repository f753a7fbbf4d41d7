// GraphDef messages, as far as this backend needs them: its own reader of the wire format, so that it links nothing.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Why something was refused: a code of plumb_backend.h, and whether it was for want of a kernel.
struct Refused : std::runtime_error {
  Refused(int32_t code, const std::string& message, bool no_kernel = false)
      : std::runtime_error(message), code(code), no_kernel(no_kernel) {}
  int32_t code;
  bool no_kernel;
};

// A tensor of a type with a width.
struct Value {
  int32_t dtype = 0;
  std::vector<int64_t> dims;
  std::vector<uint8_t> bytes;

  int64_t elements() const;
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
  template <class T>
  T* data() {
    return reinterpret_cast<T*>(bytes.data());
  }
};
// Bytes of an element; 0 for types that this backend does not know.
size_t WidthOf(int32_t dtype);
Value MakeValue(int32_t dtype, std::vector<int64_t> dims);

// Of an attribute's value, whichever of these it holds.
struct Attr {
  int32_t type = 0;
  bool flag = false;
  std::string tensor;  // a TensorProto
};

struct Node {
  std::string name, op;
  std::vector<std::string> inputs;
  std::map<std::string, Attr> attrs;

  int32_t type() const;  // of what it computes: "T" or "dtype"
  bool flag(const std::string& attr) const;
};

// Both throw Refused for bytes that are no such message.
std::vector<Node> ParseGraphDef(std::string_view bytes);
Value ParseTensor(std::string_view bytes);
