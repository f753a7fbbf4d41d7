// Features in the bytes of protocol-buffer messages (rule 9.16), read where they lie.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

// The kinds of fields: how a value is written.
enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
constexpr uint8_t Tag(int field, Wire wire) { return static_cast<uint8_t>(field << 3 | static_cast<int>(wire)); }

// A place in a message. What fails throws kInvalidArgument.
class WireCursor {
 public:
  explicit WireCursor(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool AtEnd() const { return at_ == end_; }
  bool Accept(uint8_t tag) {
    if (at_ == end_ || static_cast<uint8_t>(*at_) != tag) return false;
    ++at_;
    return true;
  }
  void Need(uint8_t tag) {
    Require(Accept(tag), "the message has another field where its field ", tag >> 3, " is needed");
  }
  uint64_t Varint() {
    uint64_t number = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      Require(at_ != end_, "the message ends within a number");
      const auto byte = static_cast<uint8_t>(*at_++);
      number |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw InvalidArgument("a number in the message is longer than ten bytes");
  }
  uint32_t Length() { return static_cast<uint32_t>(Varint()); }
  std::string_view Bytes(size_t count) {
    Require(count <= Left(), "the message ends within a value of ", count, " bytes");
    at_ += count;
    return {at_ - count, count};
  }
  std::string_view Text() { return Bytes(Length()); }
  // One field of any kind; bytes that are missing at its end are not missed.
  void Skip() {
    const auto wire = static_cast<Wire>(Varint() & 7);
    if (wire == Wire::kVarint) {
      Varint();
    } else if (wire == Wire::kBytes) {
      const uint32_t length = Length();
      if (length <= INT_MAX) at_ += std::min<size_t>(length, Left());
    } else {
      Require(wire == Wire::kFixed64 || wire == Wire::kFixed32, "a field in the message is of an unknown kind");
      Bytes(wire == Wire::kFixed64 ? 8 : 4);
    }
  }

  // f() with an end that is `length` bytes from here, if there are so many.
  template <class F>
  void Within(uint32_t length, F&& f) {
    const char* const end = end_;
    if (length <= INT_MAX && length < Left()) end_ = at_ + length;
    f();
    end_ = end;
  }

 private:
  size_t Left() const { return static_cast<size_t>(end_ - at_); }

  const char* at_;
  const char* end_;
};

// Examples and SequenceExamples are read alike, but for lists that are shorter than they say.
enum class Dialect { kExample, kSequence };

// The tag of the list of such values in a Feature.
constexpr uint8_t ListTag(DType type) {
  return Tag(type == DType::kString ? 1 : type == DType::kFloat ? 2 : 3, Wire::kBytes);
}

// Takes the list of values of `type` of a Feature, and hands them to the sink: strings and integers one by one, floats
// as little-endian bytes and their number. Of packed numbers only the first field counts.
template <class Sink>
void TakeValues(WireCursor& cursor, DType type, Dialect dialect, Sink& sink) {
  cursor.Need(ListTag(type));
  const uint32_t length = cursor.Length();
  cursor.Within(length, [&] {
    if (type == DType::kString) {
      while (!cursor.AtEnd()) {
        cursor.Need(Tag(1, Wire::kBytes));
        sink.Text(cursor.Text());
      }
      return;
    }
    Require(dialect == Dialect::kExample || length == 0 || !cursor.AtEnd(), "a feature ends before its values");
    const bool is_packed = cursor.Accept(Tag(1, Wire::kBytes));
    if (type == DType::kInt64) {
      const auto take = [&] {
        while (!cursor.AtEnd()) {
          if (!is_packed) cursor.Need(Tag(1, Wire::kVarint));
          sink.Integer(static_cast<int64_t>(cursor.Varint()));
        }
      };
      if (!is_packed) return take();
      return cursor.Within(cursor.Length(), take);
    }
    if (is_packed && dialect == Dialect::kExample) {
      const uint32_t count = cursor.Length() / sizeof(float);
      return sink.Floats(cursor.Bytes(size_t{count} * sizeof(float)).data(), count);
    }
    const auto take = [&] {
      while (!cursor.AtEnd()) {
        if (!is_packed) cursor.Need(Tag(1, Wire::kFixed32));
        sink.Floats(cursor.Bytes(sizeof(float)).data(), 1);
      }
    };
    if (!is_packed) return take();
    cursor.Within(cursor.Length(), take);
  });
}

struct CountingSink {
  int64_t count = 0;
  void Text(std::string_view) { ++count; }
  void Integer(int64_t) { ++count; }
  void Floats(const char*, int64_t floats) { count += floats; }
};

// Writes to elements of the type that is read, of which there are `room`; values beyond them are counted only.
struct WritingSink {
  void* elements;
  int64_t room;
  int64_t count = 0;

  void Text(std::string_view text) {
    if (count < room) static_cast<std::string*>(elements)[count] = text;
    ++count;
  }
  void Integer(int64_t number) {
    if (count < room) static_cast<int64_t*>(elements)[count] = number;
    ++count;
  }
  void Floats(const char* bytes, int64_t floats) {
    const int64_t kept = std::min(floats, room - count);
    if (kept > 0) std::memcpy(static_cast<float*>(elements) + count, bytes, static_cast<size_t>(kept) * sizeof(float));
    count += floats;
  }
};

// A sink for elements [first, first + room) of a tensor.
inline WritingSink SinkAt(void* elements, DType type, int64_t first, int64_t room) {
  const size_t size = type == DType::kString ? sizeof(std::string) : ElementSize(type);
  return {static_cast<char*>(elements) + static_cast<size_t>(first) * size, room};
}

// All elements of a tensor of the type that the sink takes.
inline void CopyValues(const Tensor& values, WritingSink& sink) {
  if (values.dtype() == DType::kString) {
    for (const std::string& text : values.data<std::string>()) sink.Text(text);
  } else if (values.dtype() == DType::kFloat) {
    sink.Floats(static_cast<const char*>(values.raw()), values.elements());
  } else {
    for (const int64_t number : values.data<int64_t>()) sink.Integer(number);
  }
}

}  // namespace plumb::fast::cpu
