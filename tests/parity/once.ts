import { createHash } from 'node:crypto'
import type { AnyPoints, Coordinates, Points } from '@engine/engines/engine'

/** A case is put to every contender: its points are made once, and the same arrays serve all. */
export function madeOnce<A extends readonly unknown[]>(make: (...args: A) => Points): typeof make {
  const made = new Map<string, Points>()
  return (...args) => {
    const key = JSON.stringify(args)
    const points = made.get(key) ?? make(...args)
    made.set(key, points)
    return points
  }
}

/** Slow work of the reference, done once for the same points and centroids, whoever is held to it. */
export function workedOutOnce<P extends AnyPoints, T>(
  work: (points: P, centroids: Coordinates, k: number) => T,
): typeof work {
  const known = new WeakMap<P, Map<string, T>>()
  return (points, centroids, k) => {
    const results = known.get(points) ?? new Map<string, T>()
    known.set(points, results)
    const { buffer, byteOffset, byteLength } = centroids
    const key = createHash('sha256')
      .update(new Uint8Array(buffer, byteOffset, byteLength))
      .digest('hex')
    const result = results.get(key) ?? work(points, centroids, k)
    results.set(key, result)
    return result
  }
}
