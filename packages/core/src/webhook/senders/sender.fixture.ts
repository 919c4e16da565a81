import { expect, it } from 'vitest'
import { verifySignature } from '../access/signature.ts'
import { parseJsonText } from '../body/json-text.ts'
import { problemsIn, readWebhook } from '../config/config.fixture.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Sender, Webhook } from '../webhook.ts'
import { receiveGreeting } from './greeting.fixture.ts'
import { signDelivery } from './sign-delivery.ts'

export { receiveGreeting }

/** A delivery as its sender documents it. */
export interface DocumentedDelivery {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  readonly query?: Readonly<Record<string, string>>
  readonly certificate?: Delivery['certificate']
}

/** A webhook whose sender this is, with these keys. */
export function webhookOf(sender: Sender, keys: object = {}, settings: object = {}): Webhook {
  return readWebhook({ token: undefined, sender: { name: sender.name, ...keys }, ...settings })
}

/** The verdict on a delivery: `accepted`, or why not. */
export function verdictOf(
  { signature }: Webhook,
  { headers = {}, body, query = {}, certificate }: DocumentedDelivery,
  now: number,
): string {
  if (signature === undefined) throw new Error('the webhook has no signature')
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const delivery = {
    ...sampleDelivery({ headers: Object.fromEntries(lower), query }),
    body: bodyOf(body),
    rawBody: Buffer.from(body),
    ...(certificate && { certificate }),
  }
  const verdict = verifySignature(signature, delivery, now)
  return verdict.accepted ? 'accepted' : verdict.reason
}

function bodyOf(text: string): ReturnType<typeof parseJsonText> {
  return text.startsWith('{') || text.startsWith('[')
    ? parseJsonText(`{"data":${text}}`, 64)
    : parseJsonText('{}', 64)
}

/** What {@link itIsSigned} tries. */
export interface SignedSample {
  readonly sender: Sender
  readonly body: string
  /** The keys of `sender` in a configuration. */
  readonly keys: Readonly<Record<string, string>>
  /** The keys of another sender of the same kind. */
  readonly otherKeys: Readonly<Record<string, string>>
  /** What signs: the secret, or the private key. */
  readonly key: string
  readonly url?: string
  /** A body of which the signature says nothing. */
  readonly isUncovered?: boolean
}

const now = 1_700_000_000_000
const hour = 3_600_000

/** Tests that deliveries of a sender are accepted, and those of others, changed ones and old ones refused. */
export function itIsSigned({
  sender,
  body: written,
  keys,
  otherKeys,
  key,
  url,
  isUncovered = false,
}: SignedSample): void {
  const sample = Buffer.from(written)
  const sign = (at: number): DocumentedDelivery => {
    const { headers, body } = signDelivery(sender, {
      body: sample,
      key,
      now: at,
      ...(url === undefined ? {} : { url }),
    })
    return { headers, body: Buffer.from(body).toString() }
  }
  const isTimed = sender.signatures[0]?.timestamp !== undefined

  it('accepts what the sender signed', () => {
    expect(verdictOf(webhookOf(sender, keys), sign(now), now)).toBe('accepted')
  })

  it('refuses what others signed, and what has no signature', () => {
    expect(verdictOf(webhookOf(sender, otherKeys), sign(now), now)).toBe('signature_mismatch')
    expect(verdictOf(webhookOf(sender, keys), { body: '{}' }, now)).toBe('signature_missing')
  })

  if (!isUncovered) {
    it('refuses a body that was changed', () => {
      const { headers = {}, body } = sign(now)
      const changed = body.replace(/[a-z](?=[^a-z]*$)/, (letter) => (letter === 'a' ? 'b' : 'a'))
      expect(changed).not.toBe(body)
      expect(verdictOf(webhookOf(sender, keys), { headers, body: changed }, now)).toBe(
        'signature_mismatch',
      )
    })
  }

  if (isTimed) {
    it('refuses what is repeated later', () => {
      const webhook = webhookOf(sender, keys)
      expect(verdictOf(webhook, sign(now), now + hour)).toBe('timestamp_out_of_tolerance')
      expect(verdictOf(webhook, sign(now + hour), now)).toBe('timestamp_out_of_tolerance')
    })
  }

  it('says what is missing in a configuration', () => {
    const config = {
      webhooks: [{ id: 'a', execute_command: 'true', workdir: '', sender: { name: sender.name } }],
    }
    const missing = problemsIn(config).map(({ path }) => path)
    expect(missing).toContain(`webhooks[0].sender.${Object.keys(keys)[0]}`)
  })
}
