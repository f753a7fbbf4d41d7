// Canonical status codes and the one exception type that carries them inside a backend.
//
// Codes are semantics and are compared between implementations; texts are for people (rule 9.14).
// Inside Plumb a failure is thrown as Error; Session turns it into a Status, so no exception crosses Session.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

// error.Code of TensorFlow, number for number (rule 9.14).
enum class Code : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// "INVALID_ARGUMENT" for kInvalidArgument, and so on.
std::string_view CodeName(Code code);

// What a program may ask of a failure beyond its code. No reason changes what a user sees.
enum class Reason : int {
  kOther = 0,
  kNoKernel = 1,  // the backend has no kernel for the op, or none for these types (rule A7)
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message, Reason reason = Reason::kOther)
      : code_(code), reason_(reason), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  Reason reason() const { return reason_; }
  const std::string& message() const { return message_; }
  // The same failure in other words, such as with the node where it happened.
  Status WithMessage(std::string message) const { return Status(code_, std::move(message), reason_); }
  // "INVALID_ARGUMENT: message", or "OK".
  std::string ToString() const;

 private:
  Code code_ = Code::kOk;
  Reason reason_ = Reason::kOther;
  std::string message_;
};

inline Status OkStatus() { return Status(); }

// The exception of this code base. what() is the message without the code.
class Error : public std::exception {
 public:
  explicit Error(Status status) : status_(std::move(status)) {}
  Error(Code code, std::string message) : status_(code, std::move(message)) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return status_.message().c_str(); }

 private:
  Status status_;
};

// Text pieces that Str() can join: strings, characters, booleans and numbers.
namespace internal {
void AppendTo(std::string& out, std::string_view piece);
inline void AppendTo(std::string& out, const char* piece) { AppendTo(out, std::string_view(piece)); }
inline void AppendTo(std::string& out, const std::string& piece) { AppendTo(out, std::string_view(piece)); }
void AppendTo(std::string& out, char piece);
void AppendTo(std::string& out, bool piece);
void AppendTo(std::string& out, double piece);
void AppendTo(std::string& out, long long piece);
void AppendTo(std::string& out, unsigned long long piece);
inline void AppendTo(std::string& out, float piece) { AppendTo(out, static_cast<double>(piece)); }
inline void AppendTo(std::string& out, int piece) { AppendTo(out, static_cast<long long>(piece)); }
inline void AppendTo(std::string& out, long piece) { AppendTo(out, static_cast<long long>(piece)); }
inline void AppendTo(std::string& out, unsigned piece) { AppendTo(out, static_cast<unsigned long long>(piece)); }
inline void AppendTo(std::string& out, unsigned long piece) { AppendTo(out, static_cast<unsigned long long>(piece)); }
}  // namespace internal

// Joins its arguments into one string: Str("axis ", axis, " is out of range").
template <class... Pieces>
std::string Str(const Pieces&... pieces) {
  std::string out;
  (internal::AppendTo(out, pieces), ...);
  return out;
}

// One maker per code that Plumb raises: throw InvalidArgument("axis ", axis, " must be below the rank ", rank).
template <class... P>
Error InvalidArgument(const P&... p) {
  return Error(Code::kInvalidArgument, Str(p...));
}
template <class... P>
Error NotFound(const P&... p) {
  return Error(Code::kNotFound, Str(p...));
}
template <class... P>
Error AlreadyExists(const P&... p) {
  return Error(Code::kAlreadyExists, Str(p...));
}
template <class... P>
Error FailedPrecondition(const P&... p) {
  return Error(Code::kFailedPrecondition, Str(p...));
}
template <class... P>
Error OutOfRange(const P&... p) {
  return Error(Code::kOutOfRange, Str(p...));
}
template <class... P>
Error Unimplemented(const P&... p) {
  return Error(Code::kUnimplemented, Str(p...));
}
template <class... P>
Error Internal(const P&... p) {
  return Error(Code::kInternal, Str(p...));
}
template <class... P>
Error Cancelled(const P&... p) {
  return Error(Code::kCancelled, Str(p...));
}
template <class... P>
Error DataLoss(const P&... p) {
  return Error(Code::kDataLoss, Str(p...));
}
template <class... P>
Error ResourceExhausted(const P&... p) {
  return Error(Code::kResourceExhausted, Str(p...));
}

// A kernel that nobody wrote: of an op (kNotFound), or of an op for these types (kInvalidArgument).
template <class... P>
Error NoKernel(Code code, const P&... p) {
  return Error(Status(code, Str(p...), Reason::kNoKernel));
}

// Throws InvalidArgument(pieces...) unless `condition` holds: the caller's fault, said once.
template <class... P>
void Require(bool condition, const P&... pieces) {
  if (!condition) [[unlikely]]
    throw InvalidArgument(pieces...);
}

}  // namespace plumb
