/** Powers of ten that float64 holds exactly. */
const exactPower = 22

/** `unscaled / 10 ** scale` with all its digits. @param scale decimal places; below 0 for zeros behind the number */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale))
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The float64 next to `unscaled / 10 ** scale`. */
export function decimalNumber(unscaled: bigint, scale: number): number {
  const whole = Number(unscaled)
  // Both are exact, so that the quotient is rounded once.
  if (Number.isSafeInteger(whole) && scale >= 0 && scale <= exactPower) return whole / 10 ** scale
  return Number(decimalText(unscaled, scale))
}

/** Two's complement, the high byte first. */
export function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return BigInt.asIntN(bytes.length * 8, value)
}
