import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { itIsSigned, verdictOf, webhookOf } from '../sender.fixture.ts'
import { twilio } from './sender.ts'

const key = '12345'
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'

describe('twilio', () => {
  itIsSigned({
    sender: twilio,
    body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212&z=y',
    keys: { secret: key, url },
    otherKeys: { secret: 'b3RoZXI=', url },
    key,
    url,
  })

  it('verifies the documented example', () => {
    const body =
      'To=%2B18005551212&Digits=1234&CallSid=CA1234567890ABCDE&From=%2B14158675309&Caller=%2B14158675309'
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'X-Twilio-Signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    }
    const webhook = webhookOf(twilio, { secret: key, url })
    expect(verdictOf(webhook, { headers, body }, 0)).toBe('accepted')
    expect(verdictOf(webhook, { headers, body: `${body}&More=1` }, 0)).toBe('signature_mismatch')
    const elsewhere = webhookOf(twilio, { secret: key, url: `${url}&more=1` })
    expect(verdictOf(elsewhere, { headers, body }, 0)).toBe('signature_mismatch')
  })

  it.each([url, 'https://mycompany.com/myapp.php'])(
    'verifies JSON by the digest in the URL: %s',
    (url) => {
      const body = '{"EventType":"com.twilio.messaging"}'
      const digest = createHash('sha256').update(body).digest('hex')
      const mark = url.includes('?') ? '&' : '?'
      const signed = `${url}${mark}bodySHA256=${digest}`
      const signature = createHmac('sha1', key).update(signed).digest('base64')
      const webhook = webhookOf(twilio, { secret: key, url })
      const headers = { 'X-Twilio-Signature': signature }
      const query = { bodySHA256: digest }
      expect(verdictOf(webhook, { headers, body, query }, 0)).toBe('accepted')
      expect(verdictOf(webhook, { headers, body: `${body} `, query }, 0)).toBe('signature_mismatch')
      const otherDigest = createHash('sha256').update('{}').digest('hex')
      const other = { headers, body: '{}', query: { bodySHA256: otherDigest } }
      expect(verdictOf(webhook, other, 0)).toBe('signature_mismatch')
      // Without its digest, a body has to be the form that was signed.
      expect(verdictOf(webhook, { headers, body }, 0)).toBe('signature_malformed')
    },
  )

  it('accepts forms and JSON, and answers with no instructions', () => {
    const { accept, response } = webhookOf(twilio, { secret: key, url })
    expect({ accept, response }).toEqual({
      accept: ['form', 'json'],
      response: { text: [], type: 'text/plain; charset=utf-8', headers: new Map() },
    })
  })
})
