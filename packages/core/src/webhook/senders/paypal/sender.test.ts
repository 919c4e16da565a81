import { describe, expect, it } from 'vitest'
import { parseCertificate } from '../../../crypto/public-key.ts'
import {
  certificate,
  createCertifiedService,
  otherCertificate,
  reasonsIn,
  type Sites,
} from '../certified.fixture.ts'
import { verdictOf, webhookOf } from '../sender.fixture.ts'
import { paypal } from './sender.ts'

const certificateUrl =
  'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
const webhookId = '9XL90610J3647323C'
const sites: Sites = { [certificateUrl]: () => new Response(certificate.cert) }
const event = { id: 'WH-9UG43882HX7271132-6E0871324L7949614', event_type: 'PAYMENT.SALE.COMPLETED' }
const named = { certificateUrl, id: 'd938e770-8046-11e6-8103-6b62a8a99ac4' }

const createService = (of: string = webhookId) => createCertifiedService(paypal, of, sites)

describe('paypal', () => {
  it('runs what is signed, and each transmission once', async () => {
    const { sign, deliver, runner, asked } = createService()
    const signed = sign(event, certificate, named)
    expect(await deliver(signed)).toBe(202)
    await deliver(signed)
    expect(asked).toEqual([certificateUrl])
    expect(runner.commands).toHaveLength(1)
  })

  it('reads the documented form of what is signed', async () => {
    const { createSign } = await import('node:crypto')
    const { deliver, now } = createService()
    const time = new Date(now).toISOString().replace('.000', '')
    // The CRC-32 of `{"a":1}`, in decimal.
    const text = `${named.id}|${time}|${webhookId}|1444654255`
    const headers = {
      'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
      'PAYPAL-CERT-URL': certificateUrl,
      'PAYPAL-TRANSMISSION-ID': named.id,
      'PAYPAL-TRANSMISSION-TIME': time,
      'PAYPAL-TRANSMISSION-SIG': createSign('sha256').update(text).sign(certificate.key, 'base64'),
    }
    expect(await deliver({ headers, body: Buffer.from('{"a":1}') })).toBe(202)
  })

  it('refuses what others signed, what was changed, what is for another webhook, and what is old', async () => {
    const { sign, deliver, runner, lines, now } = createService()
    const { headers } = sign(event, certificate, named)
    const changed = Buffer.from(JSON.stringify({ ...event, event_type: 'PAYMENT.SALE.REFUNDED' }))
    expect(await deliver(sign(event, otherCertificate, named))).toBe(401)
    expect(await deliver({ headers, body: changed })).toBe(401)
    expect(await deliver(createService('OTHER').sign(event, certificate, named))).toBe(401)
    expect(await deliver(sign(event, certificate, { ...named, now: now - 3_600_000 }))).toBe(401)
    const weaker = sign(event, certificate, named)
    const algorithm = { ...weaker.headers, 'PAYPAL-AUTH-ALGO': 'SHA1withRSA' }
    expect(await deliver({ headers: algorithm, body: weaker.body })).toBe(401)
    expect(reasonsIn(lines)).toEqual([
      'signature_mismatch',
      'signature_mismatch',
      'signature_mismatch',
      'timestamp_out_of_tolerance',
      'signature_missing',
    ])
    expect(runner.commands).toHaveLength(0)
  })

  it.each([
    'https://api.paypal.com.example/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/../../x',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?x=https://example.com',
    'https://api-paypal.com/v1/notifications/certs/CERT-1',
  ])('asks no other site for a certificate: %s', async (url) => {
    const { sign, deliver, asked } = createService()
    const signed = sign(event, otherCertificate, { ...named, certificateUrl: url })
    expect(await deliver(signed)).toBe(401)
    expect(asked).toEqual([])
  })

  it('accepts no other key: none that was not fetched, and none for another URL', () => {
    const { sign, now } = createService()
    const { headers } = sign(event, certificate, named)
    const webhook = webhookOf(paypal, { audience: webhookId })
    const key = parseCertificate(certificate.cert)?.key
    if (key === undefined) throw new Error('no certificate')
    const verdict = (fetched: object): string =>
      verdictOf(webhook, { headers, body: JSON.stringify(event), ...fetched }, now)
    expect(verdict({})).toBe('signature_mismatch')
    expect(verdict({ certificate: { url: `${certificateUrl}0`, key } })).toBe('signature_mismatch')
    expect(verdict({ certificate: { url: certificateUrl, key } })).toBe('accepted')
    expect(webhook.signature).toMatchObject({ secrets: [], public_keys: [] })
  })
})
