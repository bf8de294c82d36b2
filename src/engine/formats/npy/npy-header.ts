import type { FileHandle } from 'node:fs/promises'
import type { LabError } from '@shared/errors'
import { columnarRefusal } from '../columnar-failure'

/** The kinds of numbers that are read, by the type of NumPy without its byte order. */
const kinds = ['f4', 'f8', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'b1'] as const
export type NpyKind = (typeof kinds)[number]

/** What the header of a .npy file says. */
export interface NpyHeader {
  readonly kind: NpyKind
  readonly littleEndian: boolean
  /** Columns lie one behind the other, not rows. */
  readonly fortranOrder: boolean
  readonly rows: number
  readonly columns: number
  /** Bytes before the values. */
  readonly offset: number
}

/** Far longer than that of any array of plain numbers. */
const maxHeaderBytes = 1 << 16

/**
 * The header of a .npy file (format 1.0 to 3.0): an array of one dimension is one column.
 * @throws LabError `csv.npy` for what is no array of plain numbers of one or two dimensions, or not all there
 */
export async function readNpyHeader(handle: FileHandle, path: string): Promise<NpyHeader> {
  const { text, offset } = await headerText(handle, path)
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1] ?? null
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1]
  const shape = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1]
  if (order === undefined || shape === undefined)
    throw damagedNpy(path, `its header is ${text.slice(0, 200)}`)
  const kind = kinds.find((one) => one === descr?.slice(1))
  if (descr === null || kind === undefined || !'<>|='.includes(descr[0])) throw otherValues(path, descr)
  const sizes = shape.split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]))
  if (sizes.length < 1 || sizes.length > 2) throw otherShape(path, sizes)
  const [rows, columns = 1] = sizes
  if (rows * columns === 0) throw noValues(path, sizes)
  const { size } = await handle.stat()
  const need = rows * columns * bytesOf(kind)
  if (size - offset < need) throw damagedNpy(path, `its values need ${need} bytes, it holds ${size - offset}`)
  const littleEndian = descr[0] !== '>'
  return { kind, littleEndian, fortranOrder: order === 'True', rows, columns, offset }
}

/** Bytes of a value. */
export function bytesOf(kind: NpyKind): number {
  return Number(kind[1])
}

async function headerText(handle: FileHandle, path: string): Promise<{ text: string; offset: number }> {
  const head = Buffer.alloc(12)
  const { bytesRead } = await handle.read(head, 0, head.length, 0)
  if (bytesRead < head.length) throw damagedNpy(path, 'it ends within its header')
  const isFirstVersion = head[6] === 1
  const begin = isFirstVersion ? 10 : 12
  const length = isFirstVersion ? head.readUInt16LE(8) : head.readUInt32LE(8)
  if (length > maxHeaderBytes) throw damagedNpy(path, `its header says that it has ${length} bytes`)
  const text = Buffer.alloc(length)
  const read = await handle.read(text, 0, length, begin)
  if (read.bytesRead < length) throw damagedNpy(path, 'it ends within its header')
  return { text: text.toString('latin1'), offset: begin + length }
}

function refusal(path: string, why: string, remedy: string): LabError {
  return columnarRefusal('npy', path, why, remedy)
}

/** It does not hold what its header says. */
export function damagedNpy(path: string, details: string): LabError {
  return columnarRefusal('npy', path, 'is damaged or cut off', 'save or fetch it again', details)
}

function otherValues(path: string, descr: string | null): LabError {
  const what = descr === null ? 'records of several fields' : `values of the type ${descr}`
  const remedy = 'save whole numbers, float32 or float64 (array.astype("float64"))'
  return refusal(path, `holds ${what}, which are not read`, remedy)
}

function otherShape(path: string, sizes: readonly number[]): LabError {
  const what = sizes.length === 0 ? 'a single value' : `an array of ${sizes.length} dimensions`
  return refusal(path, `holds ${what}`, 'save rows and columns (array.reshape(len(array), -1))')
}

function noValues(path: string, sizes: readonly number[]): LabError {
  return refusal(
    path,
    `holds no values (its shape is ${sizes.join(' x ')})`,
    'save an array with rows and columns',
  )
}
