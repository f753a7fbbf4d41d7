// The fast CPU backend as a Session.
#pragma once

#include <memory>

#include "spec/session/session.h"

namespace plumb::fast {

std::unique_ptr<Session> NewFastSession(const SessionOptions& options);

}  // namespace plumb::fast
