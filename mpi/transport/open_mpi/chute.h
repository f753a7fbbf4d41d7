// One way from a rank to another of its host, through memory that both map: what goes in comes out in the same order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb::dist {

// All zero at first. One thread of each side at a time.
class Chute {
 public:
  // What may wait in here: a few of the largest envelopes, or many small ones.
  static constexpr size_t kBytes = 16 * 1024;

  // Of the side that writes. False where there is no room for it now. At most kBytes / 2.
  bool Put(std::string_view bytes);
  // Of the side that reads: what was put in first, which stays as it is until it is dropped. Throws kInternal for what
  // nobody puts in.
  std::optional<std::string_view> First();
  void DropFirst();

 private:
  // Records lie one behind the other, each a length and as many bytes, up to a multiple of it; where one would reach
  // beyond the end, the length kSkip says that it lies at the beginning.
  using Length = uint64_t;
  static constexpr Length kSkip = ~Length{0};
  static size_t Padded(size_t bytes) { return (bytes + sizeof(Length) - 1) / sizeof(Length) * sizeof(Length); }
  char* At(uint64_t count) { return bytes_ + count % kBytes; }
  Length LengthAt(uint64_t count);
  void SetLengthAt(uint64_t count, Length length);

  // Bytes ever put in, and taken out. Each is written by one side.
  alignas(64) std::atomic<uint64_t> put_;
  alignas(64) std::atomic<uint64_t> taken_;
  alignas(64) char bytes_[kBytes];
};

}  // namespace plumb::dist
