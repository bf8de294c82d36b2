// The Node-API addon of runs that mpirun starts; loaded there alone. Built where MPI is found.
#include <dlfcn.h>
#include <mpi.h>
#include <napi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

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

/// What one call of `exchange` hands over: JavaScript's bytes for each process, and those of each.
struct Exchange {
  std::vector<Napi::ObjectReference> kept;
  std::vector<mpi::Bytes> to;
  std::vector<std::vector<std::byte>> from;
};

/// Bytes for each process, on a worker thread.
std::shared_ptr<Exchange> read_exchange(const Napi::Value& value) {
  const auto exchange = std::make_shared<Exchange>();
  const auto parts = value.As<Napi::Array>();
  for (std::uint32_t at = 0; at < parts.Length(); at++) {
    auto bytes = Napi::Value(parts[at]).As<Napi::Uint8Array>();
    exchange->kept.push_back(Napi::Persistent(bytes.As<Napi::Object>()));
    exchange->to.push_back({bytes.Data(), bytes.ElementLength()});
  }
  return exchange;
}

void exchange_all(mpi::MpiGroup& group, Exchange& exchange) {
  std::vector<std::size_t> sizes;
  for (const mpi::Bytes& each : exchange.to) sizes.push_back(each.count);
  std::vector<mpi::Bytes> from;
  for (const std::size_t size : group.sizes_from(sizes)) exchange.from.emplace_back(size);
  for (auto& each : exchange.from) from.push_back({each.data(), each.size()});
  group.exchange(exchange.to, from);
}

/// exchange(parts): a Uint8Array for each process -> one from each.
Napi::Value exchange_parts(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!run) throw coded_error(env, "state", "MPI was not begun.");
  const auto exchange = read_exchange(info[0]);
  if (exchange->to.size() != run->group.size()) throw coded_error(env, "argument", "Expected bytes for each process.");
  const auto work = [exchange] { exchange_all(run->group, *exchange); };
  return Job::start(env, work, [exchange](Napi::Env here) -> Napi::Value {
    const Napi::Array answer = Napi::Array::New(here, exchange->from.size());
    for (std::uint32_t at = 0; at < exchange->from.size(); at++) {
      std::vector<std::byte>& bytes = exchange->from[at];
      Napi::Uint8Array array = Napi::Uint8Array::New(here, bytes.size());
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(array.Data()));
      answer.Set(at, array);
      bytes = {};
    }
    return answer;
  });
}

/// traffic(): what this process sent so far, and how long it waited in sums.
Napi::Value traffic(const Napi::CallbackInfo& info) {
  const Napi::Object answer = Napi::Object::New(info.Env());
  if (!run) return answer;
  const mpi::Traffic& all = run->group.traffic();
  answer.Set("sums", static_cast<double>(all.sums));
  answer.Set("sumBytes", static_cast<double>(all.sum_bytes));
  answer.Set("sumMs", static_cast<double>(all.sum_nanoseconds) / 1e6);
  answer.Set("messages", static_cast<double>(all.messages));
  answer.Set("messageBytes", static_cast<double>(all.message_bytes));
  return answer;
}

/// sumMs(numbers, rounds): milliseconds that a sum of so many numbers over all processes takes, on average.
Napi::Value time_sums(const Napi::CallbackInfo& info) {
  if (!run) throw coded_error(info.Env(), "state", "MPI was not begun.");
  std::vector<std::int64_t> values(static_cast<std::size_t>(info[0].ToNumber().Int64Value()), 1);
  const std::int64_t rounds = info[1].ToNumber().Int64Value();
  const CancelFlag never{false};
  const auto began = std::chrono::steady_clock::now();
  for (std::int64_t round = 0; round < rounds; round++) run->group.sum(values.data(), values.size(), never);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  return Napi::Number::New(info.Env(), took.count() / static_cast<double>(rounds));
}

}  // namespace
}  // namespace centroid_lab

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  exports.Set("begin", Napi::Function::New(env, centroid_lab::begin));
  exports.Set("hush", Napi::Function::New(env, centroid_lab::hush));
  exports.Set("exchange", Napi::Function::New(env, centroid_lab::exchange_parts));
  exports.Set("traffic", Napi::Function::New(env, centroid_lab::traffic));
  exports.Set("sumMs", Napi::Function::New(env, centroid_lab::time_sums));
  exports.Set("end", Napi::Function::New(env, centroid_lab::end));
  exports.Set("abort", Napi::Function::New(env, centroid_lab::abort_all));
  return exports;
}

NODE_API_MODULE(centroid_mpi, initialise_addon)
