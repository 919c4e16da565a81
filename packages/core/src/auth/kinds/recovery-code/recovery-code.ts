import { crockfordAlphabet, type Random, randomCrockford } from '../../random.ts'

const codeLength = 10
/** Two codes of 50 random bits are as good as never the same. */
const maxRepeats = 100
const codePattern = new RegExp(`^[${crockfordAlphabet}]{${codeLength}}$`)

/** That many different recovery codes, each of ten characters that hold 50 random bits, taken of 7 bytes. */
export function createRecoveryCodes(count: number, random: Random): readonly string[] {
  const codes = new Set<string>()
  for (let draws = 0; codes.size < count; draws++) {
    if (draws === count + maxRepeats) {
      throw new Error('the source of randomness answers the same bytes again and again')
    }
    codes.add(randomCrockford(random, codeLength))
  }
  return [...codes]
}

/**
 * The form in which codes are compared: capitals, without spaces and hyphens, and with the digits that letters may have
 * been read from. Answers `undefined` for what cannot be a recovery code.
 */
export function normalizeRecoveryCode(text: string): string | undefined {
  const code = text
    .replace(/[\s-]/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return codePattern.test(code) ? code : undefined
}
