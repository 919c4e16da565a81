import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { zoom } from './sender.ts'

const key = 'zoom-secret'

describe('zoom', () => {
  itIsSigned({
    sender: zoom,
    body: '{"event":"meeting.started","payload":{}}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('proves that it knows the secret when its URL is validated', () => {
    const webhook = webhookOf(zoom, { secret: key })
    const body = {
      event: 'endpoint.url_validation',
      payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    }
    expect(receiveGreeting(webhook, { body })).toEqual({
      status: 200,
      json: {
        plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
        encryptedToken: createHmac('sha256', key).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex'),
      },
    })
    expect(receiveGreeting(webhook, { body: { event: 'meeting.started' } })).toBeUndefined()
  })
})
