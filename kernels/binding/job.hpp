// Work off the event loop: a promise that is settled when a function has run on a worker thread.
#pragma once

#include <napi.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace centroid_lab {

/// An error with a code, as the TypeScript face expects it.
inline Napi::Error coded_error(Napi::Env env, const char* code, const std::string& message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error;
}

/// Runs `work` on a worker thread and `done` on the event loop. `work` must own all that it touches; no
/// JavaScript value may be reached from it. `done` makes the answer; `finally` runs before the promise settles.
class Job final : public Napi::AsyncWorker {
 public:
  using Work = std::function<void()>;
  using Done = std::function<Napi::Value(Napi::Env)>;
  using Finally = std::function<void()>;

  static Napi::Promise start(Napi::Env env, Work work, Done done, Finally finally = [] {}) {
    // AsyncWorker deletes itself when it is done.
    auto* job = new Job(env, std::move(work), std::move(done), std::move(finally));
    Napi::Promise promise = job->deferred_.Promise();
    job->Queue();
    return promise;
  }

 protected:
  void Execute() override {
    try {
      work_();
    } catch (const std::bad_alloc&) {
      out_of_memory_ = true;
      SetError("out of memory");
    } catch (const std::invalid_argument& refusal) {
      is_refused_ = true;
      SetError(refusal.what());
    } catch (const std::exception& error) {
      SetError(error.what());
    }
  }

  void OnOK() override {
    finally_();
    try {
      deferred_.Resolve(done_(Env()));
    } catch (const Napi::Error& error) {
      deferred_.Reject(error.Value());
    }
  }

  void OnError(const Napi::Error& error) override {
    finally_();
    const char* code = out_of_memory_ ? "memory" : is_refused_ ? "refused" : "failed";
    deferred_.Reject(coded_error(Env(), code, error.Message()).Value());
  }

 private:
  Job(Napi::Env env, Work work, Done done, Finally finally)
      : Napi::AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), work_(std::move(work)),
        done_(std::move(done)), finally_(std::move(finally)) {}

  Napi::Promise::Deferred deferred_;
  Work work_;
  Done done_;
  Finally finally_;
  bool is_refused_ = false;
  bool out_of_memory_ = false;
};

}  // namespace centroid_lab
