import { expect } from 'vitest'
import { type Certificate, createCertificate } from '../../http-client/certificate.fixture.ts'
import type { Fetch } from '../../http-client/wire.ts'
import { createSender } from '../http/routes.fixture.ts'
import { createFixture, endAtOnce, type Fixture, webhookNamed } from '../service.fixture.ts'
import type { Sender } from '../webhook.ts'
import { signDelivery } from './sign-delivery.ts'

/** A certificate as senders have it. Making one takes a while. */
export const certificate: Certificate = createCertificate('sender', { kind: 'rsa' })
export const otherCertificate: Certificate = createCertificate('other', { kind: 'rsa' })

/** An answer of a site, by its URL. */
export type Sites = Readonly<Record<string, () => Response | Promise<Response>>>

type Signed = ReturnType<typeof signDelivery>

/** The result of {@link createCertifiedService}. */
interface CertifiedService extends Fixture {
  /** The URLs that were asked for. */
  readonly asked: readonly string[]
  readonly now: number
  /** Signs a delivery as the sender does. */
  sign(
    body: object,
    by?: Certificate,
    more?: { readonly certificateUrl?: string; readonly id?: string; readonly now?: number },
  ): Signed
  /** The status that a delivery gets. */
  deliver(signed: Signed): Promise<number>
}

/** A service with a webhook of this sender, and what it asked of the sites. */
export function createCertifiedService(
  sender: Sender,
  audience: string,
  sites: Sites,
): CertifiedService {
  const asked: string[] = []
  const fetch: Fetch = async (url, { redirect, method }) => {
    expect({ redirect, method }).toEqual({ redirect: 'manual', method: 'GET' })
    asked.push(url)
    const answer = sites[url]
    if (answer === undefined) throw new Error('there is no such site')
    return answer()
  }
  const { token: _, ...webhook } = webhookNamed('job', {
    sender: { name: sender.name, audience },
    command_arguments: [{ source: 'data', format: 'value' }],
  })
  const fixture = createFixture({ config: { webhooks: [webhook] }, script: endAtOnce, fetch })
  const send = createSender([...fixture.webhooks.routes])
  const now = fixture.clock.now()
  return {
    ...fixture,
    asked,
    now,
    sign(body, by = certificate, more = {}) {
      const bytes = Buffer.from(JSON.stringify(body))
      return signDelivery(sender, { body: bytes, key: by.key, audience, now, ...more })
    },
    async deliver({ headers, body }) {
      const answer = await send({ path: '/webhook/job', headers: { ...headers }, body })
      return answer.status
    },
  }
}

/** The reasons of refusals in the log. */
export const reasonsIn = (lines: Fixture['lines']): unknown[] =>
  lines.flatMap(({ fields }) => (fields.reason === undefined ? [] : [fields.reason]))
