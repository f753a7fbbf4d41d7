// Laws of ranks over MPI: mpirun -n 3 plumb_ranks_check. Every rank draws cases of its own and is the client of their
// steps, while it has parts of the steps of all others. RC_PARAMS gives the seed and the number of cases.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "client/gradients.h"
#include "client/scope.h"
#include "mpi/session/mpi_session.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/law.h"
#include "property-tests/over_ranks.h"
#include "property-tests/placed_steps.h"

namespace plumb::property {
namespace {

int Given(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

void CheckOverProcesses(Tape& tape, const RandomCase& random_case) {
  CheckSpreadOver(Given("OMPI_COMM_WORLD_SIZE", 1), tape, random_case, [](SessionOptions options) {
    options.threads = 2;
    options.cpu_devices = 2;
    return dist::OpenMpiSession(options);
  });
}

PLUMB_LAW(Processes, AcyclicGraphsGiveWhatTheReferenceAllows) { CheckOverProcesses(tape, RandomAcyclic(tape, {})); }

PLUMB_LAW(Processes, ConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckOverProcesses(tape, CaseOf(scope, program, program.results));
}

PLUMB_LAW(Processes, GradientsOfLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(
      scope, tape, {.dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable});
  CheckOverProcesses(tape, CaseOf(scope, program, DenseGradients({program.results[0]}, program.inputs)));
}

PLUMB_LAW(Processes, FunctionsGiveWhatTheReferenceAllows) {
  RandomCase random_case = RandomAcyclic(tape, {});
  RC_PRE(AsksForNothingFed(random_case));
  CheckOverProcesses(tape, InFunction(tape, random_case, CallPlaces::kAnywhere));
}

}  // namespace
}  // namespace plumb::property

int main(int argc, char** argv) {
  const char* const given = std::getenv("RC_PARAMS");
  const int rank = plumb::property::Given("OMPI_COMM_WORLD_RANK", 0);
  const int seed = plumb::property::Given("PLUMB_SEED", 1);
  setenv("RC_PARAMS", plumb::Str(given == nullptr ? "" : given, " seed=", 100 * seed + rank).c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  if (rank != 0) return result;
  std::printf("rank %d: seed %d, exit code %d\n", rank, 100 * seed + rank, result);
  return result;
}
