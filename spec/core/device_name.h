// Device names (rules W1, W2): "/job:worker/replica:0/task:1/device:GPU:0", every part optional.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumb {

struct DeviceName {
  std::optional<std::string> job;
  std::optional<int> replica;
  std::optional<int> task;
  std::optional<std::string> type;  // "CPU", "GPU"
  std::optional<int> id;

  // Reads a full or partial name; parts in any order, '*' leaves a part unset, "/cpu:0" and "/gpu:0" are old spellings.
  // "" and "/" constrain nothing. Throws kInvalidArgument naming the text.
  static DeviceName Parse(std::string_view text);

  // Parts of either; kInvalidArgument when both set a part differently. With `soft`, a conflict in type or id drops
  // both of them instead (rule W2).
  DeviceName MergeWith(const DeviceName& other, bool soft = false) const;
  // Whether every part that is set here is set equally in `full`.
  bool Describes(const DeviceName& full) const;
  // Canonical text: parts in the order job, replica, task, device.
  std::string ToString() const;
  bool operator==(const DeviceName&) const = default;
};

}  // namespace plumb
