#include "distinct_texts.hpp"

#include <cstring>

namespace centroid_lab::reader {
namespace {

constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t bytes) {
  const unsigned __int128 product = static_cast<unsigned __int128>(hash ^ bytes) * factor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t DistinctTexts::hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * factor + 1;
  std::uint64_t bytes = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::memcpy(&bytes, text.data() + at, 8);
    hash = mixed(hash, bytes);
  }
  bytes = 0;
  for (std::size_t i = at; i < text.size(); i++) bytes = bytes << 8 | static_cast<unsigned char>(text[i]);
  return mixed(hash, bytes);
}

std::uint16_t DistinctTexts::insert(std::string_view text, std::uint64_t hash) {
  if (2 * (texts_.size() + 1) > slots_.size()) grow();
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Text& known = texts_[slots_[slot] - 1u];
    if (known.hash == hash && at(known) == text) return slots_[slot];
  }
  if (texts_.size() == max_distinct) {
    many = true;
    return 0;
  }
  texts_.push_back({hash, bytes_.size(), text.size()});
  bytes_.append(text);
  slots_[slot] = static_cast<std::uint16_t>(texts_.size());
  return slots_[slot];
}

void DistinctTexts::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
  for (std::size_t i = 0; i < texts_.size(); i++) {
    std::size_t slot = texts_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint16_t>(i + 1);
  }
}

void DistinctTexts::add_all(const DistinctTexts& others, std::vector<std::uint16_t>& codes) {
  codes.assign(1, 0);
  for (const Text& text : others.texts_) codes.push_back(many ? 0 : insert(others.at(text), text.hash));
  many = many || others.many;
}

void DistinctTexts::clear() {
  many = false;
  bytes_.clear();
  texts_.clear();
  slots_.clear();
}

}  // namespace centroid_lab::reader
