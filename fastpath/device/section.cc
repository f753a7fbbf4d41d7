#include "fastpath/device/section.h"

#include <utility>

namespace plumb::fast {
namespace {

// R13, R30: what a node wants as a value and is given as a reference.
void ReadReferences(const Section::Piece& piece, std::vector<Entry>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Entry& input = inputs[i];
    if (input.ref == nullptr) continue;
    if (IsRef(piece.input_types[i])) {
      if (input.ref->IsInitialized()) continue;
      throw FailedPrecondition("Attempting to use an uninitialized value: an input of node '", piece.name, "'");
    }
    input.tensor = input.ref->Dereference(piece.name);
    input.ref = nullptr;
    Require(input.tensor.dtype() == piece.input_types[i], "node '", piece.name, "' wants a variable of type ",
            DTypeName(piece.input_types[i]), ", it now holds ", DTypeName(input.tensor.dtype()));  // rule T6
  }
}

// R33: indices, and what is reached under a guard, may not change while a kernel looks.
void CopyWhatMayChange(const Section::Piece& piece, KernelContext& context) {
  if (piece.kernel->KeepsAliases()) return;
  for (int i = 0; i < context.num_inputs(); ++i) {
    const DType type = context.input(i).dtype();
    const bool is_index = type == DType::kInt32 || type == DType::kInt64;
    if (context.input(i).is_alias() && (is_index || IsWide(type))) context.Unalias(i);
  }
}

void RunPiece(const Section::Piece& piece, KernelContext& call, std::vector<Entry>& values) {
  std::vector<Entry> inputs, outputs(static_cast<size_t>(piece.num_outputs));
  for (size_t i = 0; i < piece.inputs.size(); ++i) {
    Entry& value = values[static_cast<size_t>(piece.inputs[i])];
    inputs.push_back(piece.is_last[i] ? std::exchange(value, Entry()) : value);
  }
  ReadReferences(piece, inputs);
  if (piece.kernel == nullptr) {
    if (piece.num_outputs > 0) outputs[0] = std::move(inputs[0]);
  } else {
    KernelContext context(call.step(), inputs.data(), static_cast<int>(inputs.size()), outputs.data(),
                          piece.num_outputs, &piece.name, &call.place());
    CopyWhatMayChange(piece, context);
    piece.kernel->Run(context);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].tensor.IsSet() && outputs[i].ref == nullptr) {
      throw Internal("Missing output ", i, " of node '", piece.name, "'");  // T5
    }
    values[static_cast<size_t>(piece.first_output) + i] = std::move(outputs[i]);
  }
}

}  // namespace

void Section::Run(KernelContext& call, std::vector<Entry>& values) const {
  values.resize(static_cast<size_t>(num_values));
  for (const Piece& piece : pieces) {
    if (call.cancelled()) throw Cancelled("the step was stopped");
    try {
      RunPiece(piece, call, values);
    } catch (const Error& error) {
      throw Error(AtNode(error.status(), piece.name, piece.node == nullptr ? "" : piece.node->op->name));
    }
  }
}

}  // namespace plumb::fast
