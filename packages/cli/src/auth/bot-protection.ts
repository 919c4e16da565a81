import {
  type BotVerifier,
  createRecaptchaVerifier,
  createTurnstileVerifier,
} from '@gatehouse/core/auth'
import type { ConfigKind } from '@gatehouse/core/config'
import { secretMapping, section } from '../config/config-section.ts'
import { type PlacedText, placedText } from '../config/outside-text.ts'

/** The section `bot_protection`: what belongs to the site key of the document. */
export interface BotProtectionSection {
  readonly secret_key: PlacedText | undefined
}

/** How the section is read. */
export const botProtectionSection: ConfigKind<BotProtectionSection> = secretMapping(
  section<BotProtectionSection>({
    typeName: 'bot_protection',
    fields: { secret_key: { kind: placedText } },
    check({ secret_key: key }, report) {
      if (key === undefined) report('secret_key is missing: what belongs to the site key')
    },
  }),
  `{ secret_key: "\${env:NAME}" }`,
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
