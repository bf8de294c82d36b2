/** Message files: one object an area and language, one sentence a key, in the format of vue-i18n. */

/** An area in another language than English: the same keys, none missing, none more. */
export type Translated<English> = Readonly<Record<keyof English, string>>

export type Areas = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `area.key` for every message. */
export type KeysOf<A extends Areas> = {
  [Area in keyof A & string]: `${Area}.${keyof A[Area] & string}`
}[keyof A & string]

export type Dictionary = Readonly<Record<string, string>>

/** One level, so that a key is looked up at once. */
export function flatten(areas: Areas): Dictionary {
  return Object.fromEntries(
    Object.entries(areas).flatMap(([area, messages]) =>
      Object.entries(messages).map(([key, message]) => [`${area}.${key}`, message]),
    ),
  )
}
