import type { DecodedArray, ParquetParsers, SchemaElement } from 'hyparquet'
import { numberCells, textCells, type ColumnCells, type ColumnHolds } from '../column-cells'
import { bigEndian, decimalNumber, decimalText } from '../decimal'
import { isoDate, isoTime, type TimeUnit } from '../iso-time'

/** How a column of a Parquet file becomes one of a table. */
export interface ParquetKind {
  readonly holds: ColumnHolds
  /** The element as the library is told of it, so that values come as they stand. */
  readonly element: SchemaElement
  readonly parsers?: Partial<ParquetParsers>
  cells(values: DecodedArray): ColumnCells
}

/** The kind of a column of plain values; in words what it holds where it is none. */
export function parquetKind(element: SchemaElement): ParquetKind | string {
  const { type, converted_type: converted, logical_type: logical } = element
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return decimals(element)
  if (logical?.type === 'TIME' || converted?.startsWith('TIME_') === true) return 'times of day'
  if (converted === 'INTERVAL' || logical?.type === 'INTERVAL') return 'intervals'
  if (type === 'INT96' || logical?.type === 'TIMESTAMP' || converted?.startsWith('TIMESTAMP_') === true) {
    return times(element)
  }
  if (logical?.type === 'DATE' || converted === 'DATE') return dates(element)
  if (isText(element)) return texts(element)
  if (logical?.type === 'FLOAT16') return numbers(element)
  if (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY') return 'bytes'
  return numbers(element)
}

function numbers(element: SchemaElement): ParquetKind {
  const cells = (values: DecodedArray) =>
    isFloats(values)
      ? numberCells(values, values.length, values instanceof Float64Array ? values : new Float64Array(values))
      : numberCells(values, values.length)
  return { holds: 'numbers', element, cells }
}

/** Numbers that can be copied as they are. */
function isFloats(values: DecodedArray): values is Float64Array | Float32Array | Int32Array | Uint32Array {
  return ArrayBuffer.isView(values) && !(values instanceof BigInt64Array || values instanceof BigUint64Array)
}

function decimals(element: SchemaElement): ParquetKind {
  const { scale = 0, converted_type: _c, logical_type: logical, ...rest } = element
  const digits = logical?.type === 'DECIMAL' ? logical.scale : scale
  const unscaled = (value: unknown) =>
    value instanceof Uint8Array ? bigEndian(value) : BigInt(value as number | bigint)
  const cells = (values: DecodedArray): ColumnCells => {
    const rows = values.length
    const isNone = (row: number) => values[row] === undefined || values[row] === null
    const textAt = (row: number) => (isNone(row) ? '' : decimalText(unscaled(values[row]), digits))
    const numberAt = (_: unknown, row: number) =>
      isNone(row) ? NaN : decimalNumber(unscaled(values[row]), digits)
    return { rows, numbers: Float64Array.from({ length: rows }, numberAt), exact: () => null, textAt }
  }
  return { holds: 'numbers', element: rest, cells }
}

function times(element: SchemaElement): ParquetKind {
  const { logical_type: logical } = element
  const isUtc = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : element.type !== 'INT96'
  const of = (unit: TimeUnit) => (value: bigint) => isoTime(BigInt(value), unit, isUtc)
  const parsers = {
    timestampFromMilliseconds: of('ms'),
    timestampFromMicroseconds: of('us'),
    timestampFromNanoseconds: of('ns'),
  }
  return { holds: 'dates', element, parsers, cells: dated }
}

function dates(element: SchemaElement): ParquetKind {
  const { logical_type: _, ...rest } = element
  const parsers = { dateFromDays: isoDate }
  return { holds: 'dates', element: { ...rest, converted_type: 'DATE' }, parsers, cells: dated }
}

function dated(values: DecodedArray): ColumnCells {
  return textCells(values.length, (row) => values[row] as string)
}

const textTypes: readonly (string | undefined)[] = ['UTF8', 'ENUM', 'JSON']
const logicalTexts: readonly (string | undefined)[] = ['STRING', 'ENUM', 'JSON', 'UUID']

function isText({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return textTypes.includes(converted) || logicalTexts.includes(logical?.type)
}

function texts(element: SchemaElement): ParquetKind {
  if (element.logical_type?.type === 'UUID') return { holds: 'text', element, cells: dated }
  const { logical_type: _, ...rest } = element
  return { holds: 'text', element: { ...rest, converted_type: 'UTF8' }, cells: dated }
}
