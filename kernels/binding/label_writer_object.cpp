#include "label_writer_object.hpp"

#include <string>
#include <utility>

#include "arguments.hpp"
#include "job.hpp"
#include "label_arguments.hpp"
#include "machine.hpp"

namespace centroid_lab {
namespace {

LabelledForm read_form(const Napi::Object& object) {
  LabelledForm form;
  form.source = {read_character(object, "delimiter"), read_character(object, "quote")};
  form.separator = read_character(object, "separator");
  form.mark = read_character(object, "mark");
  form.width = read_count(object, "width");
  form.has_surplus = read_flag(object, "surplus");
  if (form.source.delimiter == 0 || form.separator == 0 || form.mark == 0) {
    refuse(object.Env(), "one character each", "delimiter, separator and mark");
  }
  return form;
}

Napi::Value answer_of(Napi::Env env, const LabelledText& text) {
  const Napi::Object object = Napi::Object::New(env);
  object.Set("read", static_cast<double>(text.read));
  object.Set("records", static_cast<double>(text.records));
  object.Set("written", static_cast<double>(text.written));
  object.Set("record", static_cast<double>(text.after.record));
  object.Set("row", static_cast<double>(text.after.row));
  return object;
}

}  // namespace

Napi::Function LabelWriterObject::define(Napi::Env env) {
  return DefineClass(env, "LabelWriter", {InstanceMethod<&LabelWriterObject::write>("write")});
}

LabelWriterObject::LabelWriterObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LabelWriterObject>(info) {
  const Napi::Object table = read_object(info[0], "rows");
  const Napi::Object form = read_object(info[1], "form");
  state_ = std::make_shared<LabelWriterState>(read_form(form), read_labelled_rows(table), thread_count(),
                                              read_count(form, "chunkBytes"));
  state_->kept = kept_arrays(table);
}

Napi::Value LabelWriterObject::write(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (busy_) throw coded_error(env, "state", "The writer of labels is busy with another call.");
  Napi::Uint8Array text = read_bytes(info[0], "text");
  const Position from{read_position(info[1], "record"), read_position(info[2], "row")};
  Napi::Uint8Array out = read_bytes(info[3], "out");
  const std::string_view view(reinterpret_cast<const char*>(text.Data()), text.ElementLength());
  auto* to = reinterpret_cast<char*>(out.Data());
  const std::size_t room = out.ElementLength();
  auto held = std::make_shared<std::vector<Napi::ObjectReference>>();
  held->push_back(Napi::Persistent(text.As<Napi::Object>()));
  held->push_back(Napi::Persistent(out.As<Napi::Object>()));
  const auto state = state_;
  auto answer = std::make_shared<LabelledText>();
  busy_ = true;
  Ref();
  return Job::start(
      env, [=] { *answer = state->lines.write(view, from, to, room); },
      [=](Napi::Env here) { return answer_of(here, *answer); },
      [this, held] {
        busy_ = false;
        Unref();
      });
}

}  // namespace centroid_lab
