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
    const headers = { 'X-Twilio-Signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' }
    const webhook = webhookOf(twilio, { secret: key, url })
    expect(verdictOf(webhook, { headers, body }, 0)).toBe('accepted')
    expect(verdictOf(webhook, { headers, body: `${body}&More=1` }, 0)).toBe('signature_mismatch')
    const elsewhere = webhookOf(twilio, { secret: key, url: `${url}&more=1` })
    expect(verdictOf(elsewhere, { headers, body }, 0)).toBe('signature_mismatch')
  })

  it('accepts forms only, and answers with no instructions', () => {
    const { accept, response } = webhookOf(twilio, { secret: key, url })
    expect({ accept, response }).toEqual({
      accept: ['form'],
      response: { text: [], type: 'text/plain; charset=utf-8', headers: new Map() },
    })
  })
})
