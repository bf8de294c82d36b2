// Arrays of JavaScript as large as the data: zeros, on huge pages where they fill some, because pages that are touched for the first
// time one by one take longer than what is written to them.
#pragma once

#include <napi.h>

#include <cstddef>

namespace centroid_lab {

/// Given back to the system when nothing reaches it any more. @throws Napi::Error `memory`
Napi::ArrayBuffer large_buffer(Napi::Env env, std::size_t bytes);

/// largeBuffer(bytes)
Napi::Value large_buffer_of(const Napi::CallbackInfo& info);

}  // namespace centroid_lab
