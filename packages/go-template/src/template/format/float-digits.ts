/** The digits of a positive number: `0.DIGITS` times ten to the power of `point`. Zero has none. */
export interface FloatDigits {
  readonly digits: string
  readonly point: number
}

/** A number as a whole number times a power of two. */
export interface Binary {
  readonly mantissa: bigint
  readonly exponent: number
}

/** Splits a finite, non-negative number into `mantissa × 2^exponent`. The mantissa has 53 bits if possible. */
export function binaryOf(value: number): Binary {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const biased = Number((bits >> 52n) & 0x7ffn)
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 }
}

/** The fewest digits that distinguish the number from all others. */
export function shortestDigits(value: number): FloatDigits {
  if (value === 0) return { digits: '', point: 0 }
  const [digits = '', exponent] = value.toExponential().split('e')
  return { digits: digits.replace('.', ''), point: Number(exponent) + 1 }
}

/** All digits of the number. */
export function exactDigits(value: number): FloatDigits {
  const { mantissa, exponent } = binaryOf(value)
  if (mantissa === 0n) return { digits: '', point: 0 }
  // 2^-n is 5^n / 10^n.
  const decimals = Math.max(-exponent, 0)
  const whole = exponent < 0 ? mantissa * 5n ** BigInt(-exponent) : mantissa << BigInt(exponent)
  const digits = whole.toString()
  return { digits: digits.replace(/0+$/, ''), point: digits.length - decimals }
}

/** Rounds the number to this many digits, halves to the even digit. */
export function roundDigits(number: FloatDigits, count: number): FloatDigits {
  const { digits, point } = number
  if (count >= digits.length) return number
  if (count < 0) return { digits: '', point: 0 }
  const kept = digits.slice(0, count)
  if (!isRoundedUp(digits, count)) return { digits: kept.replace(/0+$/, ''), point }
  const up = kept.replace(/9+$/, '')
  if (up === '') return { digits: '1', point: point + 1 }
  return { digits: up.slice(0, -1) + (Number(up.at(-1)) + 1), point }
}

function isRoundedUp(digits: string, count: number): boolean {
  const next = digits.charAt(count)
  if (next !== '5' || count + 1 < digits.length) return next >= '5'
  return Number(digits.charAt(count - 1)) % 2 === 1
}
