import {
  type BotVerifier,
  createRecaptchaVerifier,
  createTurnstileVerifier,
} from '@gatehouse/core/auth'
import { mapping, required, type Schema, secretText } from '@gatehouse/core/document'

/** The section `bot_protection`: the secret for the site key in the document. */
export interface BotProtectionSection {
  readonly secret_key: string
}

/** The schema of the section `bot_protection`. */
export const botProtectionSection: Schema<BotProtectionSection> = mapping<BotProtectionSection>(
  { secret_key: required(secretText, 'The secret for the site key in the document.') },
  { title: 'BotProtection' },
)

/** Creates verifiers, by the provider's type in documents. */
const verifiers: ReadonlyMap<string, typeof createTurnstileVerifier> = new Map([
  ['cloudflare', createTurnstileVerifier],
  ['recaptchav2', createRecaptchaVerifier],
])

/** The types of providers that can verify a token. */
export const verifiedTypes: readonly string[] = [...verifiers.keys()]

/** Creates the verifier of a provider; `undefined` if its type is not supported. */
export function createBotVerifier(
  type: string | undefined,
  secretKey: string | undefined,
): BotVerifier | undefined {
  const create = verifiers.get(type ?? '')
  return secretKey === undefined ? undefined : create?.({ secretKey })
}
