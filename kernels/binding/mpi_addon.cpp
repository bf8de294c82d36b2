// The Node-API addon of runs that mpirun starts; loaded there alone. Built where MPI is found.
#include <dlfcn.h>
#include <mpi.h>
#include <napi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "job.hpp"
#include "mpi/mpi_group.hpp"
#include "mpi/watch.hpp"

namespace centroid_lab {
namespace {

struct Run {
  mpi::MpiGroup group;
  std::unique_ptr<mpi::Watch> watch;
};

std::unique_ptr<Run> run;

/// The launcher is ending this process: whatever there is to say, another has said it.
std::atomic<bool> hushed{false};

/// The first that notices says it; the others are ended before they do.
void say_lost(std::size_t rank, const std::string& sentence) {
  std::this_thread::sleep_for(std::chrono::milliseconds(500) * rank);
  if (hushed) return;
  const std::string line = sentence + "\n";
  [[maybe_unused]] const auto written = write(2, line.data(), line.size());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// begin(deadlineSeconds, sentence): {rank, size, group}. The sentence is said where a process does not answer in time.
Napi::Value begin(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (run) throw coded_error(env, "state", "MPI was begun already.");
  // Node loads addons for themselves alone, while parts of MPI look for its library among what all can see.
  dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  int offered = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &offered) != MPI_SUCCESS || offered < MPI_THREAD_MULTIPLE) {
    throw coded_error(env, "failed", "This MPI does not serve several threads.");
  }
  run = std::make_unique<Run>();
  const std::size_t rank = run->group.rank();
  const std::string sentence = info[1].ToString();
  run->watch = std::make_unique<mpi::Watch>(std::chrono::duration<double>(info[0].ToNumber().DoubleValue()),
                                            [=] { say_lost(rank, sentence); });
  const Napi::Object answer = Napi::Object::New(env);
  answer.Set("rank", static_cast<double>(rank));
  answer.Set("size", static_cast<double>(run->group.size()));
  answer.Set("group", Napi::External<ProcessGroup>::New(env, &run->group));
  return answer;
}

/// end(): when every process has called it.
void end(const Napi::CallbackInfo&) {
  if (!run) return;
  run->watch.reset();
  MPI_Finalize();
  run.reset();
}

void hush(const Napi::CallbackInfo&) { hushed = true; }

/// abort(status): ends every process of the run.
void abort_all(const Napi::CallbackInfo& info) {
  if (run) MPI_Abort(MPI_COMM_WORLD, info[0].ToNumber().Int32Value());
}

}  // namespace
}  // namespace centroid_lab

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  exports.Set("begin", Napi::Function::New(env, centroid_lab::begin));
  exports.Set("hush", Napi::Function::New(env, centroid_lab::hush));
  exports.Set("end", Napi::Function::New(env, centroid_lab::end));
  exports.Set("abort", Napi::Function::New(env, centroid_lab::abort_all));
  return exports;
}

NODE_API_MODULE(centroid_mpi, initialise_addon)
