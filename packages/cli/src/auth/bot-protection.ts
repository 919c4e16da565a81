import {
  type BotVerifier,
  createRecaptchaVerifier,
  createTurnstileVerifier,
} from '@gatehouse/core/auth'

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
