#include "spec/session/saved_state.h"

#include "spec/core/variant_codec.h"

namespace plumb {

std::string PathPart(std::string_view name) {
  std::string part;
  for (const char c : name) {
    if (c == '/') {
      part += "%2F";
    } else if (c == '%') {
      part += "%25";
    } else {
      part += c;
    }
  }
  return part;
}

std::string NameOfPart(std::string_view part) {
  std::string name;
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      name += part[i];
      continue;
    }
    name += part.substr(i, 3) == "%2F" ? '/' : '%';
    i += 2;
  }
  return name;
}

std::string_view TakePart(std::string_view& path) {
  const size_t end = path.find('/');
  if (end == std::string_view::npos) throw DataLoss("the saved state holds '", path, "', which says too little");
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(end + 1);
  return part;
}

void StateWriter::Put(std::string_view name, Tensor value) const {
  // Whoever takes the state up may be another implementation.
  if (value.dtype() == DType::kVariant) value = WrittenDown(value);
  state_[Str(path_, name)] = std::move(value);
}

bool StateReader::Has(std::string_view name) const { return state_.contains(Str(path_, name)); }

const Tensor& StateReader::Get(std::string_view name) const {
  const auto found = state_.find(Str(path_, name));
  if (found == state_.end()) throw DataLoss("the saved state lacks '", path_, name, "'");
  return found->second;
}

}  // namespace plumb
