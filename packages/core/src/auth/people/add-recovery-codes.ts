import { decodeInput, exactly, listOf, optional, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { validationFailed } from '../errors.ts'
import { establishFacts } from '../flows/finish/establish-facts.ts'
import { createRecoveryCodes, normalizeRecoveryCode } from '../kinds/recovery-code/recovery-code.ts'
import { recoveryCodeMac } from '../kinds/recovery-code/recovery-code-answers.ts'

/** Options of {@link addRecoveryCodes}. */
export interface AddRecoveryCodesOptions {
  /** Codes that the user already has: 8 to 32 letters and digits each (default new ones, as many as are configured). */
  readonly codes?: readonly string[]
}

const decodeOptions = exactly<AddRecoveryCodesOptions>({ codes: optional(listOf(rawText)) })

/** The limit on codes per user. */
export const maxCodes = 50

/**
 * Replaces the recovery codes of a user. Returns the new codes; they cannot be read later.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `ValidationFailed` for invalid codes, or more than 50.
 */
export async function addRecoveryCodes(
  auth: AuthContext,
  user: string,
  options: AddRecoveryCodesOptions = {},
): Promise<readonly string[]> {
  const userId = decodeInput('user', rawText, user)
  const { codes } = decodeInput('options', decodeOptions, options)
  const { count } = auth.config.current.authentication.recovery_code
  const all = codes === undefined ? createRecoveryCodes(count, auth.random) : readCodes(codes)
  const hashes = all.map((code) => auth.secrets.mac(recoveryCodeMac, code))
  await establishFacts(auth, userId, () => [{ kind: 'recovery_codes_created', hashes }])
  return all
}

/** Recovery codes from another system in the form they are compared in. `location` is where they stand, for errors. */
export function readCodes(texts: readonly string[], location = '/codes'): readonly string[] {
  if (texts.length > maxCodes) {
    const details = { expected: maxCodes, actual: texts.length }
    throw validationFailed([{ location, kind: 'maxItems', details }])
  }
  const codes = texts.map((text, index) => {
    const code = normalizeRecoveryCode(text)
    if (code !== undefined) return code
    const details = { format: 'recovery_code' }
    throw validationFailed([{ location: `${location}/${index}`, kind: 'format', details }])
  })
  return [...new Set(codes)]
}
