import { refuseOtherDistance } from '@shared/distance'
import { LabError } from '@shared/errors'

/** Where a person may write the distance: in a suite, in its configuration, and in those of a benchmark.json. */
const locations: readonly (readonly string[])[] = [[], ['config'], ['suite'], ['suite', 'config']]
const keys = ['distance', 'metric'] as const

/**
 * A suite without its `distance` and `metric`: the Euclidean distance may be named, and there is no other.
 * @param value what stands in the file, left as it is
 * @throws LabError `input` for another distance, with the reason of the command line's `--distance`
 */
export function withoutDistances(path: string, value: object): object {
  return locations.reduce((rest, location) => without(path, rest, location, location), value)
}

/** @param below keys from here down to the location that may have a distance. */
function without(path: string, value: object, location: readonly string[], below: readonly string[]): object {
  const [key, ...rest] = below
  if (key === undefined) return withoutKeys(path, value, location)
  const inner: unknown = Reflect.get(value, key)
  return isObject(inner) ? { ...value, [key]: without(path, inner, location, rest) } : value
}

function withoutKeys(path: string, value: object, location: readonly string[]): object {
  const entries = Object.entries(value)
  for (const key of keys) {
    if (key in value) refuseOther(path, [...location, key].join('.'), Reflect.get(value, key))
  }
  return Object.fromEntries(entries.filter(([name]) => !keys.some((key) => key === name)))
}

function refuseOther(path: string, where: string, name: unknown): void {
  if (typeof name === 'string') return refuseOtherDistance(where, name)
  const message = `Expected "euclidean" at ${where} in ${path} but received ${JSON.stringify(name)}.`
  throw new LabError('input', 'suite.invalid', message)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
