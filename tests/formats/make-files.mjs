/**
 * Makes the files of this folder with Polars, whose writers (Rust) are not ours. It is no dependency of the project:
 *   mkdir /tmp/polars && cd /tmp/polars && npm init -y && npm install nodejs-polars@0.26.1
 *   node make-files.mjs FOLDER      (with this file copied there)
 */
import { join } from 'node:path'
import pl from 'nodejs-polars'

const folder = process.argv[2]
const at = (name) => join(folder, name)

/** The generator of the project's tests would do; this one is as good and needs nothing. */
function chance(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Whole numbers of 64 bits, from their digits. */
const whole = (name, digits, type) => pl.Series(name, digits, pl.Utf8).cast(type)

const kinds = pl.DataFrame({
  f64: [0.1, null, NaN, Infinity, -1e300],
  f32: pl.Series('f32', [0.5, null, -2.25, 3, 1e10], pl.Float32),
  i8: pl.Series('i8', [-128, null, 0, 1, 127], pl.Int8),
  i16: pl.Series('i16', [-32768, 1, 2, 3, 32767], pl.Int16),
  i32: pl.Series('i32', [-2147483648, null, 2, 3, 2147483647], pl.Int32),
  i64: whole('i64', ['9007199254740993', null, '-9223372036854775807', '4', '5'], pl.Int64),
  u64: whole('u64', ['18446744073709551615', '0', '2', null, '5'], pl.UInt64),
  yes: [true, null, false, true, true],
  zip: ['01234', '98765', null, '01234', '1e3'],
  class: pl.Series('class', ['a', 'a', null, 'a, "b"', 'two\nlines'], pl.Utf8).cast(pl.Categorical),
  day: pl.Series('day', [0, 20780, null, -1, 1], pl.Int32).cast(pl.Date),
  time: whole('time', ['0', '1700000000123456', null, '-1', '1'], pl.Int64).cast(pl.Datetime('us')),
  money: whole('money', ['1234.50', '-0.01', null, '99999999999999999.99', '7'], pl.Decimal(38, 2)),
  utc: whole('utc', ['1', '0', null, '-1', '1500000000'], pl.Int64).cast(pl.Datetime('ns', 'UTC')),
  clock: whole('clock', ['1', '0', null, '3', '4'], pl.Int64).cast(pl.Time),
  list: [[1, 2], [3], [], [4], [5]],
  none: pl.Series('none', [null, null, null, null, null], pl.Float64),
  struct: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: 5 }],
})
kinds.writeParquet(at('kinds.parquet'))
kinds.writeIPC(at('kinds.arrow'), { compression: 'uncompressed' })

/** The same table as CSV, Parquet and Arrow. */
function table(seed, rows) {
  const next = chance(seed)
  const maybe = (make) => Array.from({ length: rows }, (_, i) => (next() < 0.05 ? null : make(i)))
  return pl.DataFrame({
    x: maybe(() => next() * 1000 - 500),
    count: pl.Series(
      'count',
      maybe(() => Math.floor(next() * 100)),
      pl.Int64,
    ),
    money: maybe(() => Math.round(next() * 1e6) / 100),
    word: maybe(() => ['red', 'green', 'blue, dark', 'say "so"'][Math.floor(next() * 4)]),
    free: maybe((i) => `row ${i} ${next()}`),
    id: pl.Series(
      'id',
      Array.from({ length: rows }, (_, i) => i + 1),
      pl.Int32,
    ),
  })
}

const ways = ['uncompressed', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4']
for (const [i, compression] of ways.entries()) {
  const one = table(i + 1, 60 + 20 * i)
  one.writeCSV(at(`table-${compression}.csv`))
  one.writeParquet(at(`table-${compression}.parquet`), { compression, rowGroupSize: 50 })
  if (['uncompressed', 'lz4', 'zstd'].includes(compression)) {
    one.writeIPC(at(`table-${compression}.arrow`), { compression })
    one.writeIPCStream(at(`table-${compression}.arrows`), { compression })
  }
}
