#include "fastpath/gpu/lib/dnn/dnn_choices.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr size_t kMost = 16384;  // of programs whose shapes are new each time

}  // namespace

DnnChoices& DnnChoices::Get() {
  static DnnChoices& choices = *new DnnChoices;
  return choices;
}

std::optional<DnnChoice> DnnChoices::Find(int device, const DnnUse& use) const {
  MutexLock lock(mutex_);
  const auto found = choices_.find({device, use});
  return found == choices_.end() ? std::nullopt : std::optional(found->second);
}

void DnnChoices::Keep(int device, const DnnUse& use, const DnnChoice& choice) {
  MutexLock lock(mutex_);
  if (choices_.size() < kMost) choices_.emplace(std::pair(device, use), choice);
}

void DnnChoices::Forget() {
  MutexLock lock(mutex_);
  choices_.clear();
}

}  // namespace plumb::fast::GPU_NAMESPACE
