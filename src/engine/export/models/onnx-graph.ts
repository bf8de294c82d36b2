import { bytes, joined, message, text, whole, type Wire } from './protobuf'

/** Types of elements (TensorProto.DataType of ONNX). */
const elementTypes = { float: 1, int64: 7, string: 8, double: 11 } as const
export type ElementType = keyof typeof elementTypes

/** Types of attributes (AttributeProto.AttributeType). */
const attributeTypes = { float: 1, int: 2, floats: 6, ints: 7, strings: 8 } as const

export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly strings: readonly string[] }

/** A graph of ONNX as it is put together: nodes in the order in which they are computed. */
export class OnnxGraph {
  readonly #nodes: Wire[] = []
  readonly #constants: Wire[] = []
  readonly #inputs: Wire[] = []
  readonly #outputs: Wire[] = []
  #names = 0

  /** @param shape a text stands for a size that is open */
  input(name: string, type: ElementType, shape: readonly (number | string)[]): string {
    this.#inputs.push(valueInfo(11, name, type, shape))
    return name
  }

  output(name: string, type: ElementType, shape: readonly (number | string)[]): void {
    this.#outputs.push(valueInfo(12, name, type, shape))
  }

  /** A tensor of numbers. @returns its name */
  constant(type: 'double' | 'int64', shape: readonly number[], values: readonly number[]): string {
    const name = this.#newName()
    const raw =
      type === 'double' ? Float64Array.from(values) : BigInt64Array.from(values, (value) => BigInt(value))
    this.#constants.push(
      message(5, [
        ...shape.map((size) => whole(1, size)),
        whole(2, elementTypes[type]),
        text(8, name),
        bytes(9, new Uint8Array(raw.buffer)),
      ]),
    )
    return name
  }

  /** @param name of the result; a new one where it is left out @returns it */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    { name = this.#newName(), domain = '' } = {},
  ): string {
    this.#nodes.push(
      message(1, [
        ...inputs.map((input) => text(1, input)),
        text(2, name),
        text(4, operator),
        ...Object.entries(attributes).map(([key, value]) => attribute(key, value)),
        ...(domain === '' ? [] : [text(7, domain)]),
      ]),
    )
    return name
  }

  cast(input: string, type: ElementType): string {
    return this.node('Cast', [input], { to: { int: elementTypes[type] } })
  }

  /** ModelProto, for version 8 of the format. */
  model(facts: {
    readonly producer: string
    readonly version: string
    readonly about: string
    readonly operators: readonly { readonly domain: string; readonly version: number }[]
  }): Wire {
    const { producer, version, about, operators } = facts
    const graph = [...this.#nodes, text(2, 'k-means'), ...this.#constants, ...this.#inputs, ...this.#outputs]
    return joined([
      whole(1, 8),
      text(2, producer),
      text(3, version),
      text(6, about),
      message(7, graph),
      ...operators.map(({ domain, version: set }) => message(8, [text(1, domain), whole(2, set)])),
    ])
  }

  #newName(): string {
    return `t${this.#names++}`
  }
}

function valueInfo(
  field: number,
  name: string,
  type: ElementType,
  shape: readonly (number | string)[],
): Wire {
  const sizes = shape.map((size) => message(1, [typeof size === 'number' ? whole(1, size) : text(2, size)]))
  const tensor = [whole(1, elementTypes[type]), message(2, sizes)]
  return message(field, [text(1, name), message(2, [message(1, tensor)])])
}

function attribute(name: string, value: Attribute): Wire {
  const type = (kind: keyof typeof attributeTypes) => whole(20, attributeTypes[kind])
  if ('int' in value) return message(5, [text(1, name), whole(3, value.int), type('int')])
  if ('ints' in value)
    return message(5, [text(1, name), ...value.ints.map((one) => whole(8, one)), type('ints')])
  if ('float' in value) return message(5, [text(1, name), single(2, value.float), type('float')])
  if ('floats' in value)
    return message(5, [text(1, name), ...value.floats.map((one) => single(7, one)), type('floats')])
  return message(5, [text(1, name), ...value.strings.map((one) => text(9, one)), type('strings')])
}

const fourBytesType = 5

/** A field of a float32. */
function single(field: number, value: number): Wire {
  return joined([Uint8Array.of(field * 8 + fourBytesType), new Uint8Array(Float32Array.of(value).buffer)])
}
