import { JSDOM } from 'jsdom'
import type { Labelled, Table } from './readers'

type Value = number | string | null

/**
 * What a scoring system does with a centre-based ClusteringModel of PMML 4.4, from the standard alone: data fields,
 * derived fields with the functions that stand below, squared Euclidean distances, output fields. A row with a missing
 * value in a clustering field has no cluster.
 */
export function byPmml(document: string, table: Table): Labelled {
  const root = new JSDOM(document, { contentType: 'text/xml' }).window.document.documentElement
  if (root.getAttribute('version') !== '4.4') throw new Error('not PMML 4.4')
  const rows = Object.values(table)[0].length
  const scored = Array.from({ length: rows }, (_, row) => score(root, rowOf(root, table, row)))
  return {
    labels: scored.map(({ cluster }) => (cluster === null ? '-1' : String(cluster))),
    distances: scored.map(({ distance }) => (distance === null ? Number.NaN : Number(distance))),
  }
}

function rowOf(root: Element, table: Table, row: number): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const field of children(root, 'DataDictionary DataField')) {
    const name = text(field, 'name')
    const cell = table[name][row].trim()
    const read = field.getAttribute('optype') === 'continuous' ? Number(cell) : cell
    values.set(name, cell === '' ? null : read)
  }
  for (const field of children(root, 'TransformationDictionary DerivedField')) {
    const value = evaluate(field.children[0], values)
    const isSingle = field.getAttribute('dataType') === 'float' && typeof value === 'number'
    values.set(text(field, 'name'), isSingle ? Math.fround(value) : value)
  }
  return values
}

function score(root: Element, row: Map<string, Value>): { cluster: Value; distance: Value } {
  const point = children(root, 'ClusteringModel > ClusteringField').map((field) =>
    row.get(text(field, 'field')),
  )
  if (point.some((value) => typeof value !== 'number')) return { cluster: null, distance: null }
  let [nearest, least]: [Value, number] = [null, Infinity]
  for (const cluster of children(root, 'ClusteringModel > Cluster')) {
    const centre = (cluster.querySelector('Array')?.textContent ?? '').trim().split(/\s+/).map(Number)
    const squared = centre.reduce((sum, value, j) => sum + (value - Number(point[j])) ** 2, 0)
    if (squared < least) [nearest, least] = [text(cluster, 'id'), squared]
  }
  const out = new Map(row)
  for (const field of children(root, 'Output OutputField')) {
    const feature = field.getAttribute('feature')
    const value =
      feature === 'predictedValue'
        ? nearest
        : feature === 'affinity'
          ? least
          : evaluate(field.children[0], out)
    out.set(text(field, 'name'), value)
  }
  return { cluster: out.get('cluster') ?? null, distance: out.get('distance') ?? null }
}

function evaluate(element: Element, values: ReadonlyMap<string, Value>): Value {
  switch (element.tagName) {
    case 'FieldRef': {
      const name = text(element, 'field')
      if (!values.has(name)) throw new Error(`no field ${name}`)
      return values.get(name) ?? null
    }
    case 'Constant':
      return element.getAttribute('dataType') === 'double' ? Number(element.textContent) : element.textContent
    case 'Apply':
      return applied(element, values)
    default:
      throw new Error(`no expression ${element.tagName}`)
  }
}

function applied(element: Element, values: ReadonlyMap<string, Value>): Value {
  const name = text(element, 'function')
  const part = (i: number) => evaluate(element.children[i], values)
  if (name === 'isMissing') return part(0) === null ? 1 : 0
  if (name === 'if') {
    const condition = part(0)
    return condition === null ? null : part(condition === 1 ? 1 : 2)
  }
  const parts = Array.from(element.children, (_, i) => part(i))
  if (parts.some((value) => value === null)) return null
  if (name === 'equal') return parts[0] === parts[1] ? 1 : 0
  const numbers = parts.map(Number)
  switch (name) {
    case '-':
      return numbers[0] - numbers[1]
    case '*':
      return numbers[0] * numbers[1]
    case '/':
      return numbers[0] / numbers[1]
    case 'sqrt':
      return Math.sqrt(numbers[0])
    case 'sum':
      return numbers.reduce((sum, value) => sum + value, 0)
    default:
      throw new Error(`no function ${name}`)
  }
}

function children(root: Element, selector: string): Element[] {
  return [...root.querySelectorAll(selector)]
}

function text(element: Element, name: string): string {
  const value = element.getAttribute(name)
  if (value === null) throw new Error(`${element.tagName} without ${name}`)
  return value
}
