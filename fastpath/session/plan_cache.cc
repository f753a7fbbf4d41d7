#include "fastpath/session/plan_cache.h"

#include <algorithm>

namespace plumb::fast {
namespace {

// A name may contain anything, so its length goes before it.
void Append(std::string& key, const std::string& name) {
  key += std::to_string(name.size());
  (key += ':') += name;
}

std::string KeyOf(std::span<const Feed> feeds, std::span<const std::string> fetches,
                  std::span<const std::string> targets) {
  std::string key;
  for (const Feed& feed : feeds) Append(key, feed.first);
  key += '>';
  for (const std::string& fetch : fetches) Append(key, fetch);
  key += '>';
  for (const std::string& target : targets) Append(key, target);
  return key;
}

}  // namespace

std::shared_ptr<StepRunner> PlanCache::Get(std::span<const Feed> feeds, std::span<const std::string> fetches,
                                           std::span<const std::string> targets, const Compiler& compile) {
  const std::string key = KeyOf(feeds, fetches, targets);
  int64_t epoch;
  {
    MutexLock lock(mutex_);
    epoch = epoch_;
    const auto found = cached_.find(key);
    if (found != cached_.end()) return found->second;
  }
  auto runner = compile();
  Track(runner);
  MutexLock lock(mutex_);
  if (epoch != epoch_) return runner;  // cleared in between: good for this step only
  return cached_.emplace(key, std::move(runner)).first->second;
}

void PlanCache::Clear() {
  MutexLock lock(mutex_);
  cached_.clear();
  ++epoch_;
}

void PlanCache::Track(const std::shared_ptr<StepRunner>& runner) {
  MutexLock lock(mutex_);
  std::erase_if(made_, [](const auto& weak) { return weak.expired(); });
  made_.push_back(runner);
}

std::vector<std::shared_ptr<StepRunner>> PlanCache::Alive() {
  std::vector<std::shared_ptr<StepRunner>> alive;
  MutexLock lock(mutex_);
  for (const auto& weak : made_) {
    if (auto runner = weak.lock()) alive.push_back(std::move(runner));
  }
  return alive;
}

}  // namespace plumb::fast
