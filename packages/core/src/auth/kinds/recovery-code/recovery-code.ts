import { type Random, randomCrockford } from '../../secrets/random.ts'

const codeLength = 10
/** With 50 random bits, two codes are practically never the same. */
const maxRepeats = 100
/** Wider than the codes created here, for codes that users bring from another system. */
const codePattern = /^[0-9A-Z]{8,32}$/

/** Creates different recovery codes, each of ten characters with 50 random bits, taken from 7 bytes. */
export function createRecoveryCodes(count: number, random: Random): readonly string[] {
  const codes = new Set<string>()
  for (let draws = 0; codes.size < count; draws++) {
    if (draws === count + maxRepeats) {
      throw new Error('the random source keeps returning the same bytes')
    }
    codes.add(randomCrockford(random, codeLength))
  }
  return [...codes]
}

/**
 * The form in which codes are compared: capitals, without spaces and hyphens, and with digits for letters that look like them.
 * Returns `undefined` for a text that cannot be a recovery code.
 */
export function normalizeRecoveryCode(text: string): string | undefined {
  const code = text
    .replace(/[\s-]/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return codePattern.test(code) ? code : undefined
}
