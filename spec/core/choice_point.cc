#include "spec/core/choice_point.h"

#include <map>
#include <string_view>

namespace plumb {
namespace {

std::atomic<ChoicePoint*> first{nullptr};

void Erase(std::string& text, std::string_view piece) {
  for (size_t at; (at = text.find(piece)) != std::string::npos;) text.erase(at, piece.size());
}

// Template arguments are left out: a loop is one, whatever it computes with.
std::string WithoutArguments(const std::string& text) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    if (c == '<') ++depth;
    if (depth == 0) kept += c;
    if (c == '>') --depth;
  }
  return kept;
}

// "… LoopName() [with Body = plumb::fast::{anonymous}::Concat::Run(…)::<lambda(…)>]" becomes "loop: Concat::Run(…)…".
std::string Readable(const char* name) {
  std::string text = name;
  constexpr std::string_view kBody = "Body = ";
  const size_t body = text.find(kBody);
  if (body == std::string::npos) return text;
  text = "loop: " + text.substr(body + kBody.size(), text.size() - body - kBody.size() - 1);
  for (const char* piece : {"plumb::fast::", "{anonymous}::", "(anonymous namespace)::"}) Erase(text, piece);
  return WithoutArguments(text);
}

}  // namespace

void ChoicePoint::Note(uint8_t side) {
  const uint8_t before = seen_.fetch_or(side | kListed, std::memory_order_relaxed);
  if ((before & kListed) != 0) return;
  next_ = first.load(std::memory_order_relaxed);
  while (!first.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) continue;
}

std::vector<Choices::Choice> Choices::Taken() {
  std::map<std::string, Choice> by_name;
  for (const ChoicePoint* point = first.load(std::memory_order_acquire); point != nullptr; point = point->next_) {
    const uint8_t seen = point->seen_.load(std::memory_order_relaxed);
    if ((seen & (ChoicePoint::kSmall | ChoicePoint::kLarge)) == 0) continue;
    const std::string name = Readable(point->name_);
    Choice& choice = by_name[name];
    choice.name = name;
    choice.small |= (seen & ChoicePoint::kSmall) != 0;
    choice.large |= (seen & ChoicePoint::kLarge) != 0;
  }
  std::vector<Choice> taken;
  for (auto& [name, choice] : by_name) taken.push_back(std::move(choice));
  return taken;
}

void Choices::Forget() {
  for (ChoicePoint* point = first.load(std::memory_order_acquire); point != nullptr; point = point->next_) {
    point->seen_.fetch_and(ChoicePoint::kListed, std::memory_order_relaxed);
  }
}

}  // namespace plumb
