import {
  type BotVerifier,
  createRecaptchaVerifier,
  createTurnstileVerifier,
} from '@gatehouse/core/auth'
import { mapping, required, type Schema, secretText } from '@gatehouse/core/document'

/** The section `bot_protection`: what belongs to the site key of the document. */
export interface BotProtectionSection {
  readonly secret_key: string
}

/** How the section is read. */
export const botProtectionSection: Schema<BotProtectionSection> = mapping<BotProtectionSection>(
  { secret_key: required(secretText, 'The secret that belongs to the site key of the document.') },
  { title: 'BotProtection' },
)

/** What makes a verifier, by the type of the provider in documents. */
const verifiers: ReadonlyMap<string, typeof createTurnstileVerifier> = new Map([
  ['cloudflare', createTurnstileVerifier],
  ['recaptchav2', createRecaptchaVerifier],
])

/** The types of providers that can be asked. */
export const verifiedTypes: readonly string[] = [...verifiers.keys()]

/** Who tells people and machines apart by a provider; `undefined` if nobody here can. */
export function createBotVerifier(
  type: string | undefined,
  secretKey: string | undefined,
): BotVerifier | undefined {
  const create = verifiers.get(type ?? '')
  return secretKey === undefined ? undefined : create?.({ secretKey })
}
