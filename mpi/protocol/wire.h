// How messages between ranks are written: fields one after the other, numbers in as many bytes as they need. A message
// says its fields once, in Travel, and both directions follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/core/status.h"

namespace plumb::dist {

class Writer {
 public:
  Writer() = default;
  explicit Writer(char first) { Add({&first, 1}); }
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (Put(fields), ...);
  }
  std::string Take() { return more_.empty() ? std::string(few_, size_) : std::move(more_); }

 private:
  void Put(bool value) { Add({value ? "\1" : "\0", 1}); }
  void Put(uint64_t value);
  void Put(int64_t value) { Put(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63)); }
  void Put(int32_t value) { Put(int64_t{value}); }
  void Put(std::string_view value) {
    Put(static_cast<uint64_t>(value.size()));
    Add(value);
  }
  void Put(const std::string& value) { Put(std::string_view(value)); }
  void Put(const Status& status);
  template <class T>
  void Put(const std::vector<T>& values) {
    Put(static_cast<uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }
  template <class T>
  requires requires(const T& value, Writer& writer) { T::Travel(value, writer); }
  void Put(const T& value) { T::Travel(value, *this); }

  void Add(std::string_view bytes) {
    if (more_.empty() && bytes.size() <= sizeof few_ - size_) [[likely]] {
      bytes.copy(few_ + size_, bytes.size());
      size_ += bytes.size();
      return;
    }
    if (more_.empty()) more_.assign(few_, size_);
    more_ += bytes;
  }

  char few_[128];  // most messages fit in here
  size_t size_ = 0;
  std::string more_;  // all bytes, where they do not
};

// Throws kInvalidArgument for bytes that no Writer wrote.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (Get(fields), ...);
  }
  // Nothing may follow.
  void End() const { Require(rest_.empty(), "a message from another rank has ", rest_.size(), " bytes too many"); }

 private:
  std::string_view Bytes(uint64_t count);
  void Get(bool& value);
  void Get(uint64_t& value);
  void Get(int64_t& value);
  void Get(int32_t& value);
  void Get(std::string& value);
  // Of the bytes that are read.
  void Get(std::string_view& value);
  void Get(Status& status);
  template <class T>
  void Get(std::vector<T>& values) {
    uint64_t count = 0;
    Get(count);
    // Every element takes a byte at least.
    Require(count <= rest_.size(), "a message from another rank ends before its ", count, " elements");
    values.resize(static_cast<size_t>(count));
    for (T& value : values) Get(value);
  }
  template <class T>
  requires requires(T& value, Reader& reader) { T::Travel(value, reader); }
  void Get(T& value) { T::Travel(value, *this); }

  std::string_view rest_;
};

}  // namespace plumb::dist
