import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader } from './framing'

const message = {
  kind: 'answer',
  text: 'größe "x"',
  values: new Float32Array([1.5, NaN, -0]),
  nested: [{ labels: new Int32Array([3, -1]) }, { empty: new Float64Array(0) }],
  infinite: Infinity,
  nothing: null,
}

describe('frames', () => {
  const bytes = Buffer.concat([...encodeFrame(message), ...encodeFrame({ second: true })])

  it('come back as they were, wherever the pipe cuts them', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new FrameReader()
      const received = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))]
      expect(received).toEqual([message, { second: true }])
    }
  })

  it('come back byte by byte', () => {
    const reader = new FrameReader()
    const received = Array.from(bytes).flatMap((byte) => reader.push(Uint8Array.of(byte)))
    expect(received).toEqual([message, { second: true }])
  })

  it('beyond the limit are refused before memory is taken', () => {
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32LE(1000, 0)
    prefix.writeUInt32LE(10, 4)
    expect(() => new FrameReader(999).push(prefix)).toThrow(/unreadable answer/)
  })

  it('whose arrays reach past their end are refused', () => {
    const frame = Buffer.concat(encodeFrame({ values: new Uint8Array(4) }))
    const shorter = Buffer.from(frame.subarray(0, frame.length - 2))
    shorter.writeUInt32LE(frame.readUInt32LE(0) - 2, 0)
    expect(() => new FrameReader().push(shorter)).toThrow(/unreadable answer/)
  })
})
