export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}

/** to += factor * vector */
export function addMultiple(to: Float64Array, factor: number, vector: Float64Array): void {
  for (let j = 0; j < to.length; j++) to[j] += factor * vector[j]
}

/** to *= factor */
export function scale(to: Float64Array, factor: number): void {
  for (let j = 0; j < to.length; j++) to[j] *= factor
}

export function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector))
}

export function unitVector(m: number, i: number): Float64Array {
  const vector = new Float64Array(m)
  vector[i] = 1
  return vector
}
