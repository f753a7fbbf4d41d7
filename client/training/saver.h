// Checkpoints of a program's variables: saved, restored, thrown away when there are enough newer ones (rules Z60, Z61).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/program.h"
#include "client/variable.h"
#include "spec/checkpoint/checkpoint_state.h"

namespace plumb {

// A variable, and what a checkpoint calls it. One that is a slice of a larger tensor is saved as such, and a checkpoint
// may be restored in other slices than those it was saved in.
struct SavedVariable {
  std::string name;  // of the larger tensor, where it is a slice
  Variable variable;
};
// A variable's own name, and of a slice the name of the whole.
std::string SavedName(const Variable& variable);
// All variables of a scope by these names.
std::vector<SavedVariable> SavedByName(Scope& scope);

struct SaverOptions {
  int max_to_keep = 5;  // older ones are removed; 0 or less: keep all
  // Of those that would be removed, one in so many hours stays. The hours go on from one saver to the next by what the
  // folder's state file says (last_preserved_timestamp), as those of TensorFlow's CheckpointManager do; its Saver
  // begins them anew.
  double keep_every_n_hours = 10000;
  // The worst is removed in the place of the oldest: first those without a score, or with NaN, from the oldest on, then
  // the one with the lowest. The newest always stays. A saver that goes on in a folder knows the scores that an earlier
  // one has given there.
  bool keep_best = false;
  std::function<double()> now = {};  // seconds since the epoch; the clock of the machine where it is not given
  // Each device that variables ask for writes its own in a file of its own, where they lie, and reads them there; all
  // tasks see one file system. What is written is one checkpoint, which any saver restores, on any devices.
  bool sharded = false;
  // The graph that is written beside a checkpoint asks for no devices, so that it runs where there are others.
  bool clear_devices = false;
};

struct SaveOptions {
  std::optional<int64_t> step = {};  // "PATH-STEP"
  std::optional<double> score = {};  // higher is better
  // What the checkpoint holds beside variables (spec/checkpoint/reserved.h): called when these are written, it gives
  // the prefixes of bundles that become part of the checkpoint. They lie below PartOfCheckpoint(prefix, …).
  std::function<std::vector<std::string>()> beside = {};
};

class Saver {
 public:
  // Adds the nodes that save and restore these variables to the scope, under "save/". Other variables are left alone:
  // a checkpoint may be restored in part, and under other names. kInvalidArgument for no variable, or a name twice.
  Saver(Scope& scope, const std::vector<SavedVariable>& variables, const SaverOptions& options = {});

  // Writes a checkpoint and, beside it as PREFIX.meta, the graph of the scope, which is still there (a MetaGraphDef, as
  // TensorFlow's Saver writes it); makes it the latest of its folder, and then removes those that are too many; gives
  // its prefix. A crash at any point leaves the one before loadable, if it has another prefix: files of a prefix that
  // is saved again are replaced one by one, as by TensorFlow, and what a crash leaves between is refused as kDataLoss.
  // All throw the Error that the step ends with.
  std::string Save(Program& program, const std::string& path, const SaveOptions& options = {});
  // Gives the variables the values that a checkpoint has. Where it has one of them not at all, or in another shape, the
  // message names that variable.
  void Restore(Program& program, const std::string& prefix);
  // Restores the latest checkpoint of a folder, counts those that are there as its own, and goes on with the hours of
  // the saver that wrote them; gives the prefix of the one that it restored, or nothing where LatestCheckpoint
  // (spec/checkpoint/checkpoint_state.h) finds none.
  std::optional<std::string> RestoreLatest(Program& program, const std::string& folder);

  // Those that are kept, the oldest first.
  std::vector<std::string> checkpoints() const;

 private:
  struct Kept {
    std::string prefix;
    double time = 0;
    std::optional<double> score;
  };

  // Variables that are saved together, on one device.
  struct Part {
    std::string device;
    std::vector<SavedVariable> variables;
  };
  std::vector<Part> PartsOf(Scope& scope, const std::vector<SavedVariable>& variables) const;
  // The nodes for one part: those that save it under `prefix`, and those that restore it.
  NodeId AddPart(Scope& scope, const Part& part, Output prefix, std::vector<NodeId>* assignments);

  void WriteWithMore(Program& program, const std::string& prefix,
                     const std::function<std::vector<std::string>()>& beside);
  std::string MetaGraphBytes() const;
  // Why the checkpoint does not fit the variables; "" where it does, or cannot be read.
  std::string MisfitOf(const std::string& prefix) const;
  void Record(Kept checkpoint);
  // The one that is to go, where there are too many; it is no longer among those that are kept.
  std::optional<Kept> TakeSurplus();
  // Of all that are kept in a folder, those of an earlier saver too.
  void WriteScores(const std::string& folder) const;
  void WriteState(const std::string& folder, const std::string& latest) const;

  SaverOptions options_;
  Scope* scope_;
  std::vector<SavedVariable> variables_;
  Output prefix_;
  Output saved_;  // the prefix, when all is written
  NodeId restore_all_ = NodeId::kNone;
  std::vector<Kept> kept_;
  double preserve_after_ = 0;  // the time at which the next one stays for good
};

// Where what becomes a part of a checkpoint is written, under a name of its own; the folder goes with the last part.
std::string PartOfCheckpoint(const std::string& prefix, const std::string& name);

}  // namespace plumb
