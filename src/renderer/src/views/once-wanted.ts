import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** Becomes true with the first `wanted`, and stays so: what closes by itself is not taken away while it does. */
export function onceWanted(wanted: () => boolean): Readonly<Ref<boolean>> {
  const was = shallowRef(wanted())
  watch(wanted, (now) => (was.value ||= now), { flush: 'sync' })
  return shallowReadonly(was)
}
