#include "spec/session/session.h"

namespace plumb {

Status Session::PartialRunSetup(std::span<const std::string>, std::span<const std::string>,
                                std::span<const std::string>, std::string*) {
  return Unimplemented("this session runs no step in pieces").status();
}

Status Session::PartialRun(const std::string&, std::span<const Feed>, std::span<const std::string>,
                           std::vector<Tensor>*) {
  return Unimplemented("this session runs no step in pieces").status();
}

}  // namespace plumb
