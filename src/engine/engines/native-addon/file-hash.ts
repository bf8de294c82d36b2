/** (pieces, 3) bytes that were read at once: where they begin, how many they are, their checksum; in the order of the file. */
export type ReadPieces = BigUint64Array

/** Words of a piece in `ReadPieces`. */
export const wordsOfPiece = 3

/** The SHA-256 of a file behind those who read it (kernels/reader/file_hash.hpp). One call at a time. */
export interface NativeFileHash {
  /**
   * Reads on, from the beginning at first, up to `end`. @param pieces that others read there
   * @returns whether they are what they were, and the file goes so far @throws where it cannot be read
   */
  add(pieces: ReadPieces, end: number): Promise<boolean>
  /** Of all that was added, in lower case; nothing may follow. */
  hex(): string
}

/** @param file descriptor of a file that stays open */
export type NativeFileHashClass = new (file: number) => NativeFileHash
