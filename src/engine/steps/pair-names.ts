/** Which files of a folder are the points and the centroids of a step, whatever program named them. */

/** A file with its size, which decides where names do not: points are more rows than centroids. */
export interface SizedFile {
  readonly name: string
  readonly bytes: number
}

export interface NamedPair {
  readonly step: number
  readonly points: string
  readonly centroids: string
}

/** Files of a step that are no pair: one sentence's worth of names. */
export interface Unpaired {
  readonly step: number
  readonly names: readonly string[]
}

export interface Paired {
  readonly pairs: readonly NamedPair[]
  readonly unpaired: readonly Unpaired[]
}

const table = /\.(csv|tsv|txt|dat)$/i
const ofCentroids = /cent(r|er)|means?(?![a-z])|prototype/i
const number = /\d+/g

/**
 * Pairs files by the number in their names: of several numbers the one that varies most over the folder. A name that
 * speaks of centroids, centres or means is that of centroids; where neither or both do, the larger file holds the points.
 * Files without a number, and single ones beside pairs, do not matter.
 */
export function pairByNumber(files: readonly SizedFile[]): Paired {
  const tables = files.filter(({ name }) => table.test(name) && stemOf(name).search(number) >= 0)
  const frequency = templatesOf(tables)
  const steps = new Map<number, SizedFile[]>()
  for (const file of tables) {
    const step = stepIn(file.name, frequency)
    steps.set(step, [...(steps.get(step) ?? []), file])
  }
  const ascending = [...steps].sort(([a], [b]) => a - b)
  const pairs = ascending.flatMap(([step, found]) => pairOf(step, found))
  const others = ascending.filter(([step]) => !pairs.some((pair) => pair.step === step))
  return {
    pairs,
    unpaired: others
      .filter(([, found]) => pairs.length === 0 || found.length > 1)
      .map(([step, found]) => ({ step, names: found.map(({ name }) => name) })),
  }
}

function pairOf(step: number, files: readonly SizedFile[]): NamedPair[] {
  const [first, second] = files
  if (files.length !== 2) return []
  const named = files.filter(({ name }) => ofCentroids.test(stemOf(name)))
  const smaller = [first, second].sort((a, b) => a.bytes - b.bytes)[0]
  if (named.length !== 1 && first.bytes === second.bytes) return []
  const centroids = named.length === 1 ? named[0] : smaller
  const points = centroids === first ? second : first
  return [{ step, points: points.name, centroids: centroids.name }]
}

/** How many files share a name but for one number, by that name with `#` in the number's place. */
function templatesOf(files: readonly SizedFile[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>()
  for (const { template } of files.flatMap(({ name }) => numbersIn(name))) {
    frequency.set(template, (frequency.get(template) ?? 0) + 1)
  }
  return frequency
}

/** The number that varies: the last of those whose name without it is most frequent. */
function stepIn(name: string, frequency: ReadonlyMap<string, number>): number {
  const found = numbersIn(name).map(({ value, template }) => ({ value, times: frequency.get(template) ?? 0 }))
  return found.reduce((best, one) => (one.times >= best.times ? one : best)).value
}

function numbersIn(name: string): readonly { readonly value: number; readonly template: string }[] {
  return [...stemOf(name).matchAll(number)].map(({ 0: digits, index }) => ({
    value: Number(digits),
    template: `${name.slice(0, index)}#${name.slice(index + digits.length)}`,
  }))
}

const stemOf = (name: string): string => name.replace(table, '')
