import { maxCategories } from '../dataset/category-blocks'
import type {
  NativeColumnFacts,
  NativeNumberFacts,
  NativeTableFacts,
} from '../engines/native-addon/table-reader'

/** Facts of stretches of a file, in their order, as facts of the whole; what is no fact (`rest`) is of none of them. */
export function mergedFacts(parts: readonly NativeTableFacts[]): NativeTableFacts {
  const sum = (of: (part: NativeTableFacts) => number) => parts.reduce((all, part) => all + of(part), 0)
  return {
    rows: sum(({ rows }) => rows),
    records: sum(({ records }) => records),
    lineEnds: Float64Array.from([0, 1, 2], (kind) => sum(({ lineEnds }) => lineEnds[kind])),
    columns: parts[0].columns.map((_, column) => mergedColumn(parts.map(({ columns }) => columns[column]))),
  }
}

function mergedColumn(parts: readonly NativeColumnFacts[]): NativeColumnFacts {
  const sum = (of: (part: NativeColumnFacts) => number) => parts.reduce((all, part) => all + of(part), 0)
  const texts = mergedTexts(parts)
  const kept = parts.flatMap((part) =>
    part.kept === undefined ? [] : [{ ...part.kept, numbers: part.numbers }],
  )
  return {
    numbers: sum(({ numbers }) => numbers),
    notNumeric: sum(({ notNumeric }) => notNumeric),
    infinite: sum(({ infinite }) => infinite),
    coarse: sum(({ coarse }) => coarse),
    distinct: texts?.length ?? maxCategories,
    manyDistinct: texts === null,
    ...(texts !== null && { texts }),
    ...(kept.length > 0 && { kept: mergedNumbers(kept) }),
  }
}

/** In the order in which they came; null where there are too many. */
function mergedTexts(parts: readonly NativeColumnFacts[]): readonly string[] | null {
  if (parts.some(({ manyDistinct }) => manyDistinct)) return null
  const texts = new Set(parts.flatMap((part) => part.texts ?? []))
  return texts.size > maxCategories ? null : [...texts]
}

type CountedNumbers = NativeNumberFacts & Pick<NativeColumnFacts, 'numbers'>

/** Of stretches in their order, as of the whole. */
export function mergedNumbers(parts: readonly CountedNumbers[]): NativeNumberFacts {
  const held = parts.filter(({ numbers }) => numbers > 0)
  const blockSums = Float64Array.from(parts.flatMap((part) => [...part.blockSums]))
  return {
    min: Math.min(...parts.map(({ min }) => min)),
    max: Math.max(...parts.map(({ max }) => max)),
    sum: blockSums.reduce((sum, ofBlock) => sum + ofBlock, 0),
    integer: parts.every(({ integer }) => integer),
    countsUp:
      parts.every(({ countsUp }) => countsUp) &&
      held.every(({ first }, i) => i === 0 || first === held[i - 1].last + 1),
    unique: parts.every(({ unique }) => unique),
    first: held.at(0)?.first ?? 0,
    last: held.at(-1)?.last ?? 0,
    blockSums,
    rest: new Float64Array(),
  }
}
