import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes an archive as Electron reads it: a header (JSON in Chromium's pickle format) and the files one behind the other. Every file
 * carries its hashes, which Electron compares where the platform supports it.
 * Format: https://github.com/electron/asar#format
 */

const integrityBlock = 4 * 1024 * 1024

/** @typedef {{from: string | Buffer, to: string}} Entry from: path, or the bytes themselves; to: path inside, with slashes */
/** @typedef {{files: Record<string, Node>}} Folder */
/** @typedef {{size: number, offset: string, integrity: object}} File */
/** @typedef {Folder | File} Node */

/**
 * @param {readonly Entry[]} entries
 * @param {string} archive path of the file that is written
 */
export function writeAsar(entries, archive) {
  /** @type {Folder} */
  const header = { files: {} }
  /** @type {Buffer[]} */
  const bodies = []
  let offset = 0
  for (const { from, to } of [...entries].sort((a, b) => (a.to < b.to ? -1 : 1))) {
    const body = typeof from === 'string' ? readFileSync(from) : from
    place(header, to.split('/'), {
      size: body.length,
      offset: String(offset),
      integrity: integrityOf(body),
    })
    bodies.push(body)
    offset += body.length
  }
  writeFileSync(archive, Buffer.concat([pickled(JSON.stringify(header)), ...bodies]))
}

/**
 * Names and contents of an archive, for checks.
 * @param {string} archive
 * @returns {Map<string, Buffer>} by path inside
 */
export function readAsar(archive) {
  const bytes = readFileSync(archive)
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12)))
  const bodies = 8 + bytes.readUInt32LE(4)
  return new Map(
    walk(header, '').map(([path, { offset, size }]) => {
      const start = bodies + Number(offset)
      return [path, bytes.subarray(start, start + size)]
    }),
  )
}

/**
 * @param {Folder} folder
 * @param {readonly string[]} parts
 * @param {File} file
 */
function place(folder, [name, ...rest], file) {
  if (rest.length === 0) {
    folder.files[name] = file
    return
  }
  const next = /** @type {Folder} */ (folder.files[name] ?? { files: {} })
  folder.files[name] = next
  place(next, rest, file)
}

/**
 * @param {Folder} folder
 * @param {string} above
 * @returns {[string, File][]}
 */
function walk({ files }, above) {
  return Object.entries(files).flatMap(([name, node]) =>
    'files' in node ? walk(node, `${above}${name}/`) : [[`${above}${name}`, node]],
  )
}

/**
 * Two pickles: the length of the second, and the text. Numbers are little-endian, text is padded to four bytes.
 * @param {string} text
 */
function pickled(text) {
  const bytes = Buffer.from(text)
  const padded = Math.ceil(bytes.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(8 + padded, 4)
  head.writeUInt32LE(4 + padded, 8)
  head.writeUInt32LE(bytes.length, 12)
  bytes.copy(head, 16)
  return head
}

/** @param {Buffer} body */
function integrityOf(body) {
  const blocks = []
  for (let at = 0; at === 0 || at < body.length; at += integrityBlock) {
    blocks.push(sha256(body.subarray(at, at + integrityBlock)))
  }
  return { algorithm: 'SHA256', hash: sha256(body), blockSize: integrityBlock, blocks }
}

/** @param {Buffer} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
