import type { ColumnInfo, ColumnarFormat } from '@shared/dataset'
import type { Dataset } from '../../dataset/dataset'
import { bodyPattern } from '../../csv/written-number'
import { number, text, truth } from './python-text'

const python = {
  'utf-8': 'utf-8-sig',
  'utf-16le': 'utf-16',
  'utf-16be': 'utf-16',
  latin1: 'latin-1',
} as const

/** The part of the script that reads the file as it was read here: rows, their numbers, columns by index. */
export function readingPart(dataset: Dataset, columns: readonly number[]): string {
  const { columnar } = dataset.form
  const used = columns.map((index) => dataset.columns[index])
  const hasDates = used.some(({ date }) => date !== undefined)
  return [
    `# (column in the file, counted from 0): how its cells are read.\nKINDS = {\n`,
    ...used.map((info) => `    ${info.index}: ${kindOf(dataset, info)},  # ${JSON.stringify(info.name)}\n`),
    '}\n',
    columnar === undefined ? textConstants(dataset) : '',
    cells,
    hasDates ? dates : '',
    columnar === undefined ? textRows : columnarRows(columnar),
    columnsOf(hasDates),
  ].join('')
}

/** `("numbers", pattern, decimal mark, unit)`, `("dates", order, unit)` or `("texts",)`. */
function kindOf({ numeric, dialect }: Dataset, { index, written, date }: ColumnInfo): string {
  if (numeric[index] === undefined) return '("texts",)'
  if (date !== undefined) return `("dates", ${text(date.order)}, ${text(date.unit)})`
  const form = written?.form ?? { group: '', decimal: dialect.decimal, unit: '' }
  return `("numbers", ${text(bodyPattern(form))}, ${text(form.decimal)}, ${text(form.unit)})`
}

function textConstants({ dialect, form, firstRecord, columns, rows }: Dataset): string {
  const { encoding, delimiter, quote } = dialect
  return `ENCODING = ${text(python[encoding])}
DELIMITER = ${text(delimiter)}${delimiter === ' ' ? '  # any run of blanks' : ''}
QUOTE = ${quote === '' ? 'None' : text(quote)}
LEADING_LINES = ${number(form.leadingLines)}
FIRST_RECORD = ${number(firstRecord)}
WIDTH = ${number(columns.length)}
ROWS = ${number(rows)}
IS_UTF_16_BE = ${truth(encoding === 'utf-16be')}
`
}

const cells = `MISSING = {"", "na", "nan", "null", "?", "-"}


def number_of(cell, body, decimal, unit):
    """The finite number of a cell as the column writes them, else NaN."""
    text = cell.strip()
    sign = -1.0 if text[:1] in "-\\u2212" and text != "" else 1.0
    text = text.lstrip("+-\\u2212").strip() if text[:1] in "+-\\u2212" else text
    if unit:
        text = (text.removeprefix(unit) if text.startswith(unit) else text.removesuffix(unit)).strip()
        if text[:1] in ("-", "\\u2212"):
            sign, text = -sign, text[1:].strip()
    if re.fullmatch(body, text) is None:
        return np.nan
    text = re.sub(r"['\\u2019\\s]", "", text).replace("." if decimal == "," else ",", "")
    value = sign * float(text.replace(",", "."))
    return value if np.isfinite(value) else np.nan

`

const dates = `
TIME = r"(?:[T\\s]\\s*(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?(?:\\s?([ap]m))?"
YEAR_FIRST = re.compile(r"(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})" + TIME + r"(?:\\s?(Z|[+-]\\d{2}(?::?\\d{2})?))?)?", re.I)
YEAR_LAST = re.compile(r"(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})" + TIME + ")?", re.I)


def date_of(cell, order, unit):
    """Days or seconds since 1970-01-01 UTC of a cell, NaN for no date."""
    found = YEAR_FIRST.fullmatch(cell.strip())
    if found:
        year, month, day = int(found[1]), int(found[3]), int(found[4])
        clock = found.groups()[4:]
        orders = [(month, day)]
    else:
        found = YEAR_LAST.fullmatch(cell.strip())
        if not found:
            return np.nan
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        clock = (*found.groups()[4:], None)
        orders = [(second, first), (first, second)] if order == "dmy" else [(first, second), (second, first)]
    for month, day in orders:
        try:
            days = datetime.date(year, month, day).toordinal() - datetime.date(1970, 1, 1).toordinal()
        except ValueError:
            continue
        return days if unit == "days" else days * 86400 + seconds_of(clock)
    return np.nan


def seconds_of(clock):
    hour, minute, second, fraction, half, zone = clock
    if hour is None:
        return 0
    hours = int(hour) if half is None else int(hour) % 12 + (12 if half.lower() == "pm" else 0)
    seconds = hours * 3600 + int(minute) * 60 + int(second or 0) + (float("0." + fraction) if fraction else 0)
    if zone is None or zone in "zZ":
        return seconds
    digits = zone[1:].replace(":", "")
    return seconds - (-1 if zone[0] == "-" else 1) * (int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60)

`

const textRows = `
def opened(path):
    with open(path, "rb") as file:
        packed = file.read(4)
    if packed[:2] == b"\\x1f\\x8b":
        import gzip

        return gzip.open(path, "rt", encoding=ENCODING, errors="replace", newline="")
    if packed == b"\\x28\\xb5\\x2f\\xfd":
        import zstandard

        return zstandard.open(path, "rt", encoding=ENCODING, errors="replace", newline="")
    encoding = ENCODING
    if encoding == "utf-16" and packed[:2] not in (b"\\xff\\xfe", b"\\xfe\\xff"):
        encoding = "utf-16-be" if IS_UTF_16_BE else "utf-16-le"
    return open(path, encoding=encoding, errors="replace", newline="")


def read_rows(path):
    """(cells of each row, its number in the file): records that are too long or too short are none."""
    csv.field_size_limit(2**31 - 1)
    rows, numbers = [], []
    with opened(path) as file:
        for _ in range(LEADING_LINES):
            file.readline()
        lines = (line.replace("\\t", " ").strip(" ") for line in file) if DELIMITER == " " else file
        options = {"delimiter": DELIMITER, "skipinitialspace": DELIMITER == " "}
        if QUOTE is None:
            options["quoting"] = csv.QUOTE_NONE
        else:
            options["quotechar"] = QUOTE
        for record, cells in enumerate(csv.reader(lines, **options), LEADING_LINES + 1):
            if record < FIRST_RECORD or all(cell.strip() == "" for cell in cells[:1]) and len(cells) < 2:
                continue
            if DELIMITER == " ":
                cells = [cell for cell in cells if cell != ""]
            while len(cells) > WIDTH and cells[-1].strip() == "":
                cells.pop()
            if len(cells) == WIDTH:
                rows.append(cells)
                numbers.append(record)
    if len(rows) != ROWS:
        sys.exit(f"{path} has {len(rows)} rows here and had {ROWS}: it is another file, or its quotes are doubtful.")
    return list(zip(*rows)), np.array(numbers)

`

/** Of files with columns of their own: NumPy reads its own, pyarrow the others. */
function columnarRows(format: ColumnarFormat): string {
  const reading = {
    npy: `    table = np.load(path)
    table = table.reshape(len(table), -1)
    table = [table[:, j].tolist() for j in range(table.shape[1])]`,
    parquet: `    import pyarrow.parquet

    table = [column.to_pylist() for column in pyarrow.parquet.read_table(path).columns]`,
    arrow: `    import pyarrow as pa

    with pa.OSFile(path) as file:
        try:
            read = pa.ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            read = pa.ipc.open_stream(file).read_all()
    table = [column.to_pylist() for column in read.columns]`,
  } satisfies Record<ColumnarFormat, string>
  return `
def read_rows(path):
    """(cells of each column, numbers of the rows)."""
${reading[format]}
    return [[cell_of(value) for value in column] for column in table], np.arange(1, len(table[0]) + 1)


def cell_of(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(value)
    return str(value)

`
}

function columnsOf(hasDates: boolean): string {
  const datesToo = `    if kind == "dates":
        return np.array([date_of(cell, *how) for cell in cells], dtype=np.float64)
`
  return `
def column(index):
    """(rows) float64, NaN where a cell is missing; or texts, empty where one is."""
    kind, *how = KINDS[index]
    cells = TABLE[index]
    if kind == "texts":
        return np.array(["" if cell.strip().lower() in MISSING else cell.strip() for cell in cells])
${hasDates ? datesToo : ''}    return np.array([number_of(cell, *how) for cell in cells], dtype=np.float64)


def missing(cells):
    return cells == "" if cells.dtype.kind == "U" else np.isnan(cells)


def among(numbers, first, last):
    """Which numbers lie in one of some ranges, both ends included."""
    at = np.searchsorted(np.array(first), numbers, side="right") - 1
    return (at >= 0) & (numbers <= np.array([*last, -1])[at])


TABLE, row_numbers = read_rows(PATH)
`
}
