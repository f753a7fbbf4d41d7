#include "client/training/saver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "client/training/checkpoint_files.h"
#include "client/training/checkpoint_scores.h"
#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/listing.h"
#include "spec/graph/meta_graph_writer.h"

namespace plumb {
namespace {

constexpr double kSecondsPerHour = 3600;

double SystemTime() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string PlaceOf(const Variable& variable) { return variable.slice() ? variable.slice()->place : ""; }

// Of a checkpoint in its folder.
std::string NameIn(const std::string& prefix) { return prefix.substr(prefix.rfind('/') + 1); }

std::optional<SliceExtents> ExtentsOf(const Variable& variable) {
  if (!variable.slice()) return std::nullopt;
  const ShapeAndSlice place = ParseShapeAndSlice(variable.slice()->place);
  SliceExtents extents = {variable.slice()->whole, place.shape.ToVector(), {}, place.slice_shape.ToVector()};
  for (const Extent& extent : place.slice.extents) extents.offset.push_back(extent.start);
  return extents;
}

std::vector<VariableNames> NamesOf(Scope& scope, const std::vector<Variable>& variables) {
  const Graph& graph = scope.builder().graph();
  std::vector<VariableNames> all;
  for (const Variable& variable : variables) {
    const Node& assign = graph.node(variable.initializer());
    all.push_back({.variable = variable.name(),
                   .initializer = assign.name,
                   .snapshot = variable.value().name(),
                   .initial_value = graph.NameOf(assign.inputs.at(1)),
                   .trainable = variable.trainable(),
                   .slice = ExtentsOf(variable)});
  }
  return all;
}

// Where one part of a checkpoint is written until all are there: in a folder beside it, which goes when they are
// joined.
Output PrefixOfPart(Scope& scope, Output prefix, size_t part, size_t parts) {
  const Output beside =
      scope.Call("StringJoin", {prefix, Constant(scope, std::string("_parts/part"))}, {{"separator", std::string()}});
  return scope.Call("ShardedFilename", {beside, Constant(scope, static_cast<int32_t>(part)),
                                        Constant(scope, static_cast<int32_t>(parts))});
}

}  // namespace

std::string PartOfCheckpoint(const std::string& prefix, const std::string& name) {
  return Str(prefix, "_parts/", name);
}

std::string SavedName(const Variable& variable) { return variable.slice() ? variable.slice()->whole : variable.name(); }

std::vector<SavedVariable> SavedByName(Scope& scope) {
  std::vector<SavedVariable> saved;
  for (const Variable& variable : scope.variables()) {
    saved.push_back({SavedName(variable), variable});
  }
  return saved;
}

Saver::Saver(Scope& scope, const std::vector<SavedVariable>& variables, const SaverOptions& options)
    : options_(options), scope_(&scope), variables_(variables) {
  Require(!variables.empty(), "a saver needs a variable");
  if (!options_.now) options_.now = SystemTime;
  preserve_after_ = options_.now() + options_.keep_every_n_hours * kSecondsPerHour;
  const auto save = scope.Sub("save");
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [name, variable] : variables) {
    Require(seen.insert({name, PlaceOf(variable)}).second, "two variables would be saved as '", name, "'");
  }
  const Output default_prefix = Constant(scope, std::string("model"), "filename");
  prefix_ = scope.Call("PlaceholderWithDefault", {default_prefix}, {{"shape", PartialShape(Shape())}}, "Const");
  const std::vector<Part> parts = PartsOf(scope, variables);
  std::vector<NodeId> saves, assignments;
  std::vector<Output> prefixes;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto there = scope.On(parts[i].device);
    if (parts.size() > 1) prefixes.push_back(PrefixOfPart(scope, prefix_, i, parts.size()));
    saves.push_back(AddPart(scope, parts[i], parts.size() > 1 ? prefixes.back() : prefix_, &assignments));
  }
  restore_all_ = scope.Group(assignments, "restore_all");
  NodeId written = saves.front();
  if (parts.size() > 1) {
    const auto after = scope.After(saves);
    written = scope.Add("MergeV2Checkpoints", {scope.Call("Pack", prefixes), prefix_}, {}, "MergeV2Checkpoints");
  }
  const auto after = scope.After({written});
  saved_ = scope.Call("Identity", {prefix_}, {}, "control_dependency");
}

std::vector<Saver::Part> Saver::PartsOf(Scope& scope, const std::vector<SavedVariable>& variables) const {
  if (!options_.sharded) return {{"", variables}};
  std::vector<Part> parts;
  for (const SavedVariable& saved : variables) {
    const std::string& device = scope.builder().graph().node(saved.variable.ref().node()).device;
    auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.device == device; });
    if (part == parts.end()) part = parts.insert(parts.end(), Part{device, {}});
    part->variables.push_back(saved);
  }
  return parts;
}

NodeId Saver::AddPart(Scope& scope, const Part& part, Output prefix, std::vector<NodeId>* assignments) {
  const auto count = static_cast<int64_t>(part.variables.size());
  Tensor names(DType::kString, Shape{count}), slices(DType::kString, Shape{count});
  std::vector<DType> types;
  for (size_t i = 0; i < part.variables.size(); ++i) {
    names.mutable_data<std::string>()[i] = part.variables[i].name;
    slices.mutable_data<std::string>()[i] = PlaceOf(part.variables[i].variable);
    types.push_back(part.variables[i].variable.dtype());
  }
  const Output tensor_names = Constant(scope, names, "tensor_names");
  const Output tensor_slices = Constant(scope, slices, "shape_and_slices");
  std::vector<Output> inputs = {prefix, tensor_names, tensor_slices};
  for (const SavedVariable& saved : part.variables) inputs.push_back(saved.variable.ref());
  const NodeId save = scope.Add("SaveV2", inputs, {{"dtypes", types}}, "SaveV2");
  const NodeId restored =
      scope.Add("RestoreV2", {prefix_, tensor_names, tensor_slices}, {{"dtypes", types}}, "RestoreV2");
  for (size_t i = 0; i < part.variables.size(); ++i) {
    const Output value{&scope.builder(), {restored, static_cast<int>(i)}};
    assignments->push_back(scope.Add("Assign", {part.variables[i].variable.ref(), value}, {}, "Assign"));
  }
  return save;
}

std::string Saver::Save(Program& program, const std::string& path, const SaveOptions& options) {
  std::string prefix = options.step ? Str(path, "-", *options.step) : path;
  if (options.beside) {
    WriteWithMore(program, prefix, options.beside);
  } else {
    program.Fetch(saved_, {{prefix_, MakeScalar(prefix)}});
  }
  Files().Write(MetaGraphPath(prefix), MetaGraphBytes());
  Record({prefix, options_.now(), options.score});
  WriteScores(FolderOf(prefix));  // before the state file names the checkpoint, which then has its score at once
  const std::optional<Kept> surplus = TakeSurplus();
  WriteState(FolderOf(prefix), prefix);
  if (surplus) RemoveCheckpoint(Files(), surplus->prefix);
  return prefix;
}

void Saver::WriteWithMore(Program& program, const std::string& prefix,
                          const std::function<std::vector<std::string>()>& beside) {
  std::vector<std::string> parts = {PartOfCheckpoint(prefix, "variables")};
  const std::string folder = FolderOf(parts[0]);
  // A link would have others' files removed in the end.
  if (Files().Exists(folder)) RemovedUnlessFolder(Files(), folder);
  Files().MakeFolder(folder);
  program.Fetch(saved_, {{prefix_, MakeScalar(parts[0])}});
  const std::vector<std::string> more = beside();
  parts.insert(parts.end(), more.begin(), more.end());
  MergeBundles(Files(), parts, prefix, /*allow_missing=*/false);
  RemoveWithAll(Files(), folder);
}

void Saver::Record(Kept checkpoint) {
  std::erase_if(kept_, [&](const Kept& kept) { return kept.prefix == checkpoint.prefix; });
  if (checkpoint.score && std::isnan(*checkpoint.score)) checkpoint.score.reset();
  kept_.push_back(std::move(checkpoint));
}

void Saver::WriteScores(const std::string& folder) const {
  std::map<std::string, double> scores;
  for (const Kept& kept : kept_) {
    if (kept.score && FolderOf(kept.prefix) == folder) scores[NameIn(kept.prefix)] = *kept.score;
  }
  if (!scores.empty()) WriteCheckpointScores(Files(), folder, scores);
}

std::optional<Saver::Kept> Saver::TakeSurplus() {
  if (options_.max_to_keep <= 0 || kept_.size() <= static_cast<size_t>(options_.max_to_keep)) return std::nullopt;
  auto last = kept_.begin();
  if (options_.keep_best) {
    const auto is_worse = [](const Kept& a, const Kept& b) {
      return a.score && b.score ? *a.score < *b.score : b.score.has_value() && !a.score.has_value();
    };
    last = std::min_element(kept_.begin(), kept_.end() - 1, is_worse);
  }
  const Kept surplus = *last;
  kept_.erase(last);
  if (surplus.time <= preserve_after_) return surplus;
  const double period = options_.keep_every_n_hours * kSecondsPerHour;
  // Hours in which nothing was saved, as between two runs, are not made up for.
  if (period > 0) preserve_after_ += period * std::ceil((surplus.time - preserve_after_) / period);
  return std::nullopt;
}

void Saver::WriteState(const std::string& folder, const std::string& latest) const {
  CheckpointState state{.latest = latest};
  for (const Kept& kept : kept_) {
    if (FolderOf(kept.prefix) != folder) continue;
    state.all.push_back(kept.prefix);
    state.times.push_back(kept.time);
  }
  if (options_.keep_every_n_hours > 0) {
    state.last_preserved_time = preserve_after_ - options_.keep_every_n_hours * kSecondsPerHour;
  }
  WriteCheckpointState(Files(), folder, state);
}

void Saver::Restore(Program& program, const std::string& prefix) {
  try {
    program.Run(restore_all_, {{prefix_, MakeScalar(prefix)}});
  } catch (const Error& error) {
    const std::string misfit = MisfitOf(prefix);
    if (misfit.empty()) throw;
    throw Error(error.status().WithMessage(misfit));
  }
}

std::string Saver::MisfitOf(const std::string& prefix) const {
  std::map<std::string, PartialShape> stored;
  try {
    for (const StoredTensor& tensor : ListCheckpoint(Files(), prefix)) stored.emplace(tensor.name, tensor.shape);
  } catch (const Error&) {
    return "";
  }
  for (const auto& [name, variable] : variables_) {
    const auto found = stored.find(name);
    if (found == stored.end()) {
      return Str("the checkpoint '", prefix, "' has no variable '", name, "': it seems to be another model's");
    }
    const bool fits = variable.slice() || variable.shape().IsCompatibleWith(found->second);
    if (!fits) {
      return Str("the variable '", name, "' has the shape ", variable.shape().ToString(), ", and in the checkpoint '",
                 prefix, "' ", found->second.ToString(), ": it seems to be that of another model, or of other sizes");
    }
  }
  return "";
}

std::string Saver::MetaGraphBytes() const {
  SavedProgram program;
  program.graph = scope_->ToGraphDef();
  if (options_.clear_devices) {
    for (NodeDef& node : program.graph.nodes) node.device.clear();
  }
  program.saver = {prefix_.name(), saved_.name(), scope_->NameOf(restore_all_)};
  program.max_to_keep = options_.max_to_keep;
  program.keep_every_n_hours = options_.keep_every_n_hours;
  program.sharded = options_.sharded;
  program.variables = NamesOf(*scope_, scope_->variables());
  program.local_variables = NamesOf(*scope_, scope_->local_variables());
  program.queue_runners = scope_->queue_runners();
  return SerializeMetaGraph(program);
}

std::optional<std::string> Saver::RestoreLatest(Program& program, const std::string& folder) {
  const auto state = ReadCheckpointState(Files(), folder);
  if (!state || !CheckpointExists(Files(), state->latest)) return std::nullopt;
  Restore(program, state->latest);
  kept_.clear();
  const double now = options_.now();
  const bool tells_hours = state->last_preserved_time > 0;
  if (tells_hours) {
    preserve_after_ = std::min(state->last_preserved_time, now) + options_.keep_every_n_hours * kSecondsPerHour;
  }
  const std::map<std::string, double> scores = ReadCheckpointScores(Files(), FolderOf(state->latest));
  // What lies elsewhere is another run's, of which a copied state file tells, and is not this one's to remove.
  const std::string own_folder = FolderOf(Str(folder, folder.ends_with('/') ? "" : "/", "x"));
  const auto keep = [&](const std::string& prefix, double time) {
    if (FolderOf(prefix) != own_folder) return;
    const auto score = scores.find(NameIn(prefix));
    const bool is_scored = score != scores.end() && FolderOf(prefix) == FolderOf(state->latest);
    Record({prefix, time, is_scored ? std::optional(score->second) : std::nullopt});
  };
  for (size_t i = 0; i < state->all.size(); ++i) {
    const double time = i < state->times.size() ? std::min(now, state->times[i]) : now;
    if (CheckpointExists(Files(), state->all[i])) keep(state->all[i], time);
  }
  const auto is_latest = [&](const Kept& kept) { return kept.prefix == state->latest; };
  if (std::none_of(kept_.begin(), kept_.end(), is_latest)) keep(state->latest, now);
  return state->latest;
}

std::vector<std::string> Saver::checkpoints() const {
  std::vector<std::string> prefixes;
  for (const Kept& kept : kept_) prefixes.push_back(kept.prefix);
  return prefixes;
}

}  // namespace plumb
