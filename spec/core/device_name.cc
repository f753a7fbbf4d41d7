#include "spec/core/device_name.h"

#include <charconv>

#include "spec/core/status.h"

namespace plumb {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {}

  DeviceName Parse() {
    DeviceName name;
    if (rest_ == "/") return name;
    while (!rest_.empty()) Part(name);
    return name;
  }

 private:
  void Part(DeviceName& name) {
    if (Consume("/job:")) {
      name.job = Word();
    } else if (Consume("/replica:")) {
      name.replica = Number();
    } else if (Consume("/task:")) {
      name.task = Number();
    } else if (Consume("/device:")) {
      name.type = Word();
      name.id = Consume(":") ? Number() : std::nullopt;
    } else if (Consume("/cpu:") || Consume("/CPU:")) {
      name.type = "CPU";
      name.id = Number();
    } else if (Consume("/gpu:") || Consume("/GPU:")) {
      name.type = "GPU";
      name.id = Number();
    } else {
      Fail();
    }
  }

  bool Consume(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  std::optional<std::string> Word() {
    if (Consume("*")) return std::nullopt;
    size_t length = 0;
    while (length < rest_.size() && (IsLetter(rest_[length]) || IsDigit(rest_[length]) || rest_[length] == '_')) {
      ++length;
    }
    if (length == 0 || !IsLetter(rest_[0])) Fail();
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return word;
  }

  std::optional<int> Number() {
    if (Consume("*")) return std::nullopt;
    int number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc() || !IsDigit(rest_[0])) Fail();
    rest_.remove_prefix(end - rest_.data());
    return number;
  }

  [[noreturn]] void Fail() const {
    throw InvalidArgument("malformed device specification '", text_.substr(0, 200),
                          "': parts are /job:NAME /replica:N /task:N /device:TYPE:N");
  }

  std::string_view text_;
  std::string_view rest_;
};

template <class T>
bool Conflicts(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b && *a != *b;
}

template <class T>
std::optional<T> Either(const std::optional<T>& a, const std::optional<T>& b) {
  return a ? a : b;
}

template <class T>
bool SetEqually(const std::optional<T>& wanted, const std::optional<T>& actual) {
  return !wanted || wanted == actual;
}

}  // namespace

DeviceName DeviceName::Parse(std::string_view text) { return Parser(text).Parse(); }

DeviceName DeviceName::MergeWith(const DeviceName& other, bool soft) const {
  const bool other_device = Conflicts(type, other.type) || Conflicts(id, other.id);
  Require(!Conflicts(job, other.job) && !Conflicts(replica, other.replica) && !Conflicts(task, other.task) &&
              (soft || !other_device),
          "the device specifications '", ToString(), "' and '", other.ToString(), "' contradict each other");
  DeviceName merged;
  merged.job = Either(job, other.job);
  merged.replica = Either(replica, other.replica);
  merged.task = Either(task, other.task);
  if (!other_device) {
    merged.type = Either(type, other.type);
    merged.id = Either(id, other.id);
  }
  return merged;
}

bool DeviceName::Describes(const DeviceName& full) const {
  return SetEqually(job, full.job) && SetEqually(replica, full.replica) && SetEqually(task, full.task) &&
         SetEqually(type, full.type) && SetEqually(id, full.id);
}

std::string DeviceName::ToString() const {
  std::string text;
  if (job) text += "/job:" + *job;
  if (replica) text += Str("/replica:", *replica);
  if (task) text += Str("/task:", *task);
  if (type || id) text += "/device:" + type.value_or("*") + ":" + (id ? Str(*id) : "*");
  return text;
}

}  // namespace plumb
