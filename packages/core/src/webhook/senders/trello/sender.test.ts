import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { trello } from './sender.ts'

const key = 'trello-secret'
const url = 'https://www.example.com/trelloCallbackURL'

describe('trello', () => {
  itIsSigned({
    sender: trello,
    body: '{"action":{"id":"51f9424bcd6e040f3c002412","type":"updateCard"}}',
    keys: { secret: key, url },
    otherKeys: { secret: 'b3RoZXI=', url },
    key,
    url,
  })

  it('answers a HEAD, by which the URL is tried', () => {
    const webhook = webhookOf(trello, { secret: key, url })
    expect(receiveGreeting(webhook, { method: 'HEAD' })).toEqual({ status: 200 })
    expect(receiveGreeting(webhook, { method: 'GET' })).toBeUndefined()
  })
})
