// The bytes of a protocol-buffer message, read one after the other as TensorFlow's parsers of Examples read them.
#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::reference {

// Every failure is kInvalidArgument. Bytes are read up to a limit, which is the end of them, or nearer.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes), end_(bytes.size()) {}

  bool AtEnd() const { return at_ == end_; }
  // Takes the next byte if it is this one.
  bool Try(char tag);
  void Expect(char tag);
  // A number in base 128, of at most ten bytes; a length is its lower 32 bits.
  uint64_t Number();
  uint32_t Length() { return static_cast<uint32_t>(Number()); }
  std::string_view Take(uint64_t count);
  // A length, and so many bytes.
  std::string_view Text() { return Take(Length()); }
  // A field that nobody asked for. One that says it is longer than what is left ends here.
  void SkipField();

  // Draws the limit `length` bytes from here, unless it is nearer already, and returns where it was.
  size_t Narrow(uint32_t length);
  void Widen(size_t end) { end_ = end; }

 private:
  std::string_view bytes_;
  size_t at_ = 0, end_;
};

}  // namespace plumb::reference
