#include "spec/core/status.h"

#include <array>
#include <charconv>

namespace plumb {

std::string_view CodeName(Code code) {
  static constexpr std::array<std::string_view, 17> kNames = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  const auto index = static_cast<size_t>(code);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

std::string Status::ToString() const { return ok() ? "OK" : Str(CodeName(code_), ": ", message_); }

namespace internal {
namespace {
template <class Number>
void AppendNumber(std::string& out, Number number) {
  char text[40];
  const auto result = std::to_chars(text, text + sizeof(text), number);
  out.append(text, result.ptr);
}
}  // namespace

void AppendTo(std::string& out, std::string_view piece) { out.append(piece); }
void AppendTo(std::string& out, char piece) { out.push_back(piece); }
void AppendTo(std::string& out, bool piece) { out.append(piece ? "true" : "false"); }
void AppendTo(std::string& out, double piece) { AppendNumber(out, piece); }
void AppendTo(std::string& out, long long piece) { AppendNumber(out, piece); }
void AppendTo(std::string& out, unsigned long long piece) { AppendNumber(out, piece); }
}  // namespace internal

}  // namespace plumb
