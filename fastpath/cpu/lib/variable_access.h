// How kernels reach variables: names, handles, snapshots and copy-on-write.
#pragma once

#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Where a node's resource lives (rules R1–R3). Throws kInvalidArgument for names outside the grammar of R2.
struct ResourceName {
  std::string container;
  std::string name;
};
ResourceName ResourceNameOf(const Node& node, std::string_view name_if_not_shared);

// Locks every variable once, in address order (rule R27).
class VariableLocks {
 public:
  explicit VariableLocks(std::span<Variable* const> variables);
  explicit VariableLocks(std::initializer_list<Variable*> variables)
      : VariableLocks(std::span(variables.begin(), variables.size())) {}

 private:
  std::vector<std::unique_lock<std::mutex>> locks_;
};

// The value of an initialised variable, whose lock is held; else kFailedPrecondition (rule R13).
const Tensor& ValueOf(Variable& variable, const std::string& reader);
// The same, in a buffer that nobody else holds: readers keep their snapshots (rules R32, R42).
Tensor& WritableValueOf(Variable& variable, const std::string& writer);

// Finds the variable behind a handle; remembers the last one, so that a repeated step pays a comparison.
class VariableLookup {
 public:
  // Null when nothing was assigned yet.
  std::shared_ptr<ResourceVariable> Find(KernelContext& context, const Tensor& handle);
  std::shared_ptr<ResourceVariable> FindOrCreate(KernelContext& context, const Tensor& handle);

 private:
  std::shared_ptr<ResourceVariable> Remembered(const Tensor& handle);
  std::shared_ptr<ResourceVariable> Remember(const Tensor& handle, std::shared_ptr<ResourceVariable> variable);

  std::mutex mutex_;
  Tensor handle_;                                  // GUARDED_BY(mutex_)
  RememberedResource<ResourceVariable> variable_;  // GUARDED_BY(mutex_)
};

// The type name that handles of variables carry (rule R7).
inline constexpr const char* kVariableTypeName = "Var";

// The one handle in `tensor`, of the given type (rule R7); else kInvalidArgument.
const ResourceHandle& HandleIn(const Tensor& tensor, std::string_view type_name);

}  // namespace plumb::fast::cpu
