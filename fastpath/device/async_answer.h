// The answer of an asynchronous kernel: one, whoever gives it.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "spec/core/status.h"

namespace plumb::fast {

// Who gets the answer. It counts those who may give it.
class AsyncAnswer {
 public:
  AsyncAnswer() = default;
  AsyncAnswer(const AsyncAnswer&) = delete;
  AsyncAnswer& operator=(const AsyncAnswer&) = delete;

  // The first one counts.
  void Give(const Status& status) {
    if (Close()) Take(status);
  }
  // True: none has been given, and none will be.
  bool Close() { return !is_closed_.exchange(true, std::memory_order_acq_rel); }

 protected:
  virtual ~AsyncAnswer() = default;
  // May end what the answer is for.
  virtual void Take(const Status& status) = 0;
  // Nobody may give it any more.
  virtual void Release() = 0;

 private:
  friend class Done;
  void LetGo() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    Give(Status(Code::kInternal, "the kernel dropped the matter without an answer"));
    Release();
  }

  std::atomic<int> holders_{0};
  std::atomic<bool> is_closed_{false};
};

// Gives it. Copies are one: the first call counts, and when all are gone without a call, the node fails.
class Done {
 public:
  Done(std::nullptr_t = nullptr) {}  // NOLINT(google-explicit-constructor)
  explicit Done(AsyncAnswer& answer) : answer_(&answer) { Hold(); }
  // Calls a function, once.
  template <class Function>
  requires std::is_invocable_v<Function&, const Status&> &&
      (!std::is_same_v<std::decay_t<Function>, Done>)Done(Function function)  // NOLINT(google-explicit-constructor)
      : Done(*new FunctionAnswer<Function>(std::move(function))) {}
  Done(const Done& other) : answer_(other.answer_) { Hold(); }
  Done(Done&& other) noexcept : answer_(std::exchange(other.answer_, nullptr)) {}
  Done& operator=(Done other) noexcept {
    std::swap(answer_, other.answer_);
    return *this;
  }
  ~Done() {
    if (answer_ != nullptr) answer_->LetGo();
  }

  void operator()(const Status& status) const { answer_->Give(status); }
  explicit operator bool() const { return answer_ != nullptr; }
  bool operator==(std::nullptr_t) const { return answer_ == nullptr; }

 private:
  template <class Function>
  class FunctionAnswer final : public AsyncAnswer {
   public:
    explicit FunctionAnswer(Function function) : function_(std::move(function)) {}

   protected:
    void Take(const Status& status) override { function_(status); }
    void Release() override { delete this; }

   private:
    Function function_;
  };

  void Hold() const {
    if (answer_ != nullptr) answer_->holders_.fetch_add(1, std::memory_order_relaxed);
  }

  AsyncAnswer* answer_ = nullptr;
};

}  // namespace plumb::fast
