import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { meta } from './sender.ts'

const key = 'app-secret'

describe('meta', () => {
  itIsSigned({
    sender: meta,
    body: '{"object":"page","entry":[]}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('answers the challenge to those who know the verify token', () => {
    const webhook = webhookOf(meta, { secret: key, verify_token: 'meatyhamhock' })
    const query = {
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': 'meatyhamhock',
    }
    expect(receiveGreeting(webhook, { method: 'GET', query })).toEqual({
      status: 200,
      text: '1158201444',
    })
    const wrong = { ...query, 'hub.verify_token': 'x' }
    expect(receiveGreeting(webhook, { method: 'GET', query: wrong })).toEqual({ status: 403 })
    const page = { ...query, 'hub.challenge': '<script>' }
    expect(receiveGreeting(webhook, { method: 'GET', query: page })).toEqual({ status: 403 })
    expect(receiveGreeting(webhook, { method: 'POST', query })).toBeUndefined()
    const unset = webhookOf(meta, { secret: key })
    expect(receiveGreeting(unset, { method: 'GET', query })).toEqual({ status: 403 })
  })
})
