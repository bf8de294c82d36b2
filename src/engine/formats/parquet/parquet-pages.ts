import type {
  ColumnDecoder,
  ColumnMetaData,
  Compressors,
  DecodedArray,
  Encoding,
  PageHeader,
  SchemaElement,
} from 'hyparquet/src/types.js'
import { parquetHeader } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { decompressPage, readDataPage } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import type { ParquetKind } from './parquet-kind'
import { decodeRle } from './rle'

/** A column of a row group, as it lies in the file. */
export interface ColumnChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly facts: ColumnMetaData
  readonly element: SchemaElement
  readonly parsers: ParquetKind['parsers']
  readonly compressors: Compressors
}

/**
 * The values of a column that is no list and within no struct, page by page; undefined where a cell is null. Pages, their values and
 * what they are encoded by are the library's; which cells are null is read here, since the library has no shorter way for columns
 * that could have nulls and have none, and takes counts of damaged files at their word.
 * @param rows no more are wanted
 * @throws whatever the library throws at what it does not understand
 */
export function* pagesOf(chunk: ColumnChunk, rows: number): Generator<DecodedArray> {
  const { bytes, facts, element } = chunk
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 }
  const pages = new Pages(chunk)
  for (let read = 0; read < rows;) {
    const header = parquetHeader(reader)
    const end = reader.offset + header.compressed_page_size
    if (!(end >= reader.offset && end <= bytes.length)) throw new RangeError('A page ends behind its column.')
    if (!(header.uncompressed_page_size <= Number(facts.total_uncompressed_size))) {
      throw new RangeError('A page is larger than its column.')
    }
    const body = bytes.subarray(reader.offset, end)
    reader.offset = end
    if (header.type === 'DICTIONARY_PAGE') pages.dictionary(header, body)
    else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      const count = (header.data_page_header ?? header.data_page_header_v2)?.num_values ?? 0
      if (!(count > 0 && count <= facts.num_values)) throw new RangeError(`A page has ${count} values.`)
      yield pages.data(header, body, count, element.repetition_type === 'OPTIONAL')
      read += count
    }
  }
}

class Pages {
  readonly #decoder: ColumnDecoder
  #dictionary: DecodedArray = []

  constructor({ facts, element, parsers, compressors }: ColumnChunk) {
    // Nulls are left out before the library sees the values.
    const required = { ...element, repetition_type: 'REQUIRED' } as const
    const node = { children: [], count: 1, element: required, path: [element.name] }
    this.#decoder = {
      ...{ pathInSchema: [element.name], type: facts.type, element: required, schemaPath: [node, node] },
      ...{ codec: facts.codec, parsers: { ...DEFAULT_PARSERS, ...parsers }, compressors, utf8: false },
    }
  }

  dictionary(header: PageHeader, body: Uint8Array): void {
    const count = header.dictionary_page_header?.num_values ?? 0
    const page = this.#decompress(body, header.uncompressed_page_size)
    // Of a value there is a bit at least.
    if (!(count <= page.length * 8)) throw new RangeError(`A dictionary has ${count} values.`)
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.length), offset: 0 }
    const { type, element } = this.#decoder
    this.#dictionary = convert(readPlain(reader, type, count, element.type_length), this.#decoder)
  }

  data(header: PageHeader, body: Uint8Array, count: number, hasNulls: boolean): DecodedArray {
    const { data_page_header: first, data_page_header_v2: second } = header
    if (second !== undefined) {
      const { definition_levels_byte_length: levels, repetition_levels_byte_length: before } = second
      const from = before + levels
      const present = hasNulls ? decodeRle(body, [before, from], 1, count) : null
      const rest = body.subarray(from)
      const isPacked = second.is_compressed !== false && rest.length > 0
      const page = isPacked ? this.#decompress(rest, header.uncompressed_page_size - from) : rest
      return this.#values(page, second.encoding, present, count)
    }
    const page = this.#decompress(body, header.uncompressed_page_size)
    const levels = hasNulls ? new DataView(page.buffer, page.byteOffset).getUint32(0, true) : 0
    const from = hasNulls ? 4 + levels : 0
    const present = hasNulls ? decodeRle(page, [4, from], 1, count) : null
    return this.#values(page.subarray(from), first?.encoding ?? 'PLAIN', present, count)
  }

  #decompress(body: Uint8Array, size: number): Uint8Array {
    const { codec, compressors } = this.#decoder
    return decompressPage(body, size, codec, compressors)
  }

  /** @param present (count) 1 where there is a value; null where all are there */
  #values(page: Uint8Array, encoding: Encoding, present: Uint32Array | null, count: number): DecodedArray {
    const held = present === null ? count : present.reduce((sum, one) => sum + one, 0)
    const values = held === 0 ? [] : this.#decode(page, encoding, held)
    if (values.length < held) throw new RangeError(`A page has ${values.length} of ${held} values.`)
    if (held === count || present === null) return values
    const cells = new Array<unknown>(count)
    for (let i = 0, at = 0; i < count; i++) cells[i] = present[i] === 1 ? values[at++] : undefined
    return cells
  }

  #decode(page: Uint8Array, encoding: Encoding, count: number): DecodedArray {
    if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
      return lookedUp(this.#dictionary, decodeRle(page, [1, page.length], page[0], count))
    }
    if (encoding === 'RLE') return Array.from(decodeRle(page, [4, page.length], 1, count), (bit) => bit === 1)
    const header = {
      ...{ num_values: count, encoding },
      ...({ definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' } as const),
    }
    return convert(readDataPage(page, header, this.#decoder).dataPage, this.#decoder)
  }
}

function lookedUp(dictionary: DecodedArray, codes: Uint32Array): DecodedArray {
  if (dictionary instanceof Float64Array) return Float64Array.from(codes, (code) => inRange(dictionary, code))
  return Array.from(codes, (code) => inRange(dictionary, code) as unknown)
}

function inRange<T>(values: ArrayLike<T>, at: number): T {
  if (at >= values.length) throw new RangeError(`A dictionary has no value ${at}.`)
  return values[at]
}
