import type { Batch, DataType } from '@uwdata/flechette'
import { numberCells, textCells, type ColumnCells, type ColumnHolds, type Value } from '../column-cells'
import { decimalNumber, decimalText } from '../decimal'
import { isoDate, isoTime, type TimeUnit } from '../iso-time'

/** How a column of an Arrow file becomes one of a table. */
export interface ArrowKind {
  readonly holds: ColumnHolds
  cells(batch: Batch<unknown>): ColumnCells
}

/** Numbers of types in the format. */
const typeIds = {
  ...{ dictionary: -1, none: 1, int: 2, float: 3, binary: 4, utf8: 5, bool: 6, decimal: 7, date: 8, time: 9 },
  ...{ timestamp: 10, interval: 11, fixedBinary: 15, duration: 18, largeBinary: 19, largeUtf8: 20 },
  ...{ binaryView: 23, utf8View: 24 },
} as const
const timeUnits: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns']
const millisecondsOfDay = 86_400_000

/** The kind of a column of plain values; in words what it holds where it is none. */
export function arrowKind(type: DataType): ArrowKind | string {
  if (type.typeId === typeIds.dictionary && 'dictionary' in type) return coded(arrowKind(type.dictionary))
  switch (type.typeId as number) {
    case typeIds.none:
    case typeIds.int:
    case typeIds.float:
    case typeIds.bool:
      return { holds: 'numbers', cells: numbers }
    case typeIds.decimal:
      return decimals('scale' in type ? type.scale : 0)
    case typeIds.utf8:
    case typeIds.largeUtf8:
    case typeIds.utf8View:
      return { holds: 'text', cells: texts }
    case typeIds.date:
      return dated((value) => isoDate(Math.floor(Number(value) / millisecondsOfDay)))
    case typeIds.timestamp:
      return timestamps(type)
    case typeIds.time:
      return 'times of day'
    case typeIds.interval:
    case typeIds.duration:
      return 'intervals'
    case typeIds.binary:
    case typeIds.largeBinary:
    case typeIds.binaryView:
    case typeIds.fixedBinary:
      return 'bytes'
    default:
      return 'lists, structs or the like'
  }
}

/** Codes of a dictionary, whose values are looked up one by one. */
function coded(kind: ArrowKind | string): ArrowKind | string {
  if (typeof kind === 'string' || kind.holds === 'text') return kind
  return { holds: kind.holds, cells: (batch) => kind.cells(valuesOf(batch)) }
}

/** As if the values stood there themselves. */
function valuesOf(batch: Batch<unknown>): Batch<unknown> {
  const { length } = batch
  const at = (row: number) => batch.at(row)
  return { length, nullCount: length, at } as Batch<unknown>
}

/** Read at once, so that damage shows itself here. */
function valuesIn(batch: Batch<unknown>): Value[] {
  return Array.from({ length: batch.length }, (_, row) => batch.at(row) as Value)
}

function texts(batch: Batch<unknown>): ColumnCells {
  const values = valuesIn(batch)
  return textCells(values.length, (row) => values[row])
}

function numbers(batch: Batch<unknown>): ColumnCells {
  const { length, nullCount, values } = batch
  const isPlain = values instanceof Float64Array || values instanceof Float32Array || isWhole(values)
  const isLong = values instanceof BigInt64Array || values instanceof BigUint64Array
  if (isLong && nullCount === 0) return numberCells(values.subarray(0, length), length)
  const isDirect = isPlain && nullCount === 0 && batch.type.typeId !== typeIds.bool
  if (isDirect && !isHalf(batch)) {
    const own = values.subarray(0, length)
    return numberCells(own, length, own instanceof Float64Array ? own : new Float64Array(own))
  }
  return numberCells(valuesIn(batch), length)
}

function isHalf({ type }: Batch<unknown>): boolean {
  return type.typeId === typeIds.float && 'precision' in type && type.precision === 0
}

/** Of at most 32 bits. */
function isWhole(values: unknown) {
  return (
    values instanceof Int8Array ||
    values instanceof Uint8Array ||
    values instanceof Int16Array ||
    values instanceof Uint16Array ||
    values instanceof Int32Array ||
    values instanceof Uint32Array
  )
}

function decimals(scale: number): ArrowKind {
  const cells = (batch: Batch<unknown>): ColumnCells => {
    const unscaled = valuesIn(batch).map((value) =>
      value === null ? null : BigInt(value as number | bigint),
    )
    return {
      rows: batch.length,
      numbers: Float64Array.from(unscaled, (value) => (value === null ? NaN : decimalNumber(value, scale))),
      exact: () => null,
      textAt: (row) => {
        const value = unscaled[row]
        return value === null ? '' : decimalText(value, scale)
      },
    }
  }
  return { holds: 'numbers', cells }
}

function dated(textOf: (value: number | bigint) => string): ArrowKind {
  const cells = (batch: Batch<unknown>) => {
    const dates = valuesIn(batch).map((value) => (value === null ? null : textOf(value as number | bigint)))
    return textCells(dates.length, (row) => dates[row])
  }
  return { holds: 'dates', cells }
}

function timestamps(type: DataType): ArrowKind {
  const unit = timeUnits['unit' in type ? Number(type.unit) : 0]
  const isUtc = 'timezone' in type && typeof type.timezone === 'string' && type.timezone !== ''
  return dated((value) => isoTime(BigInt(value), unit, isUtc))
}
