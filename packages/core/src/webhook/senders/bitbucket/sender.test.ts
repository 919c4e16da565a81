import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { bitbucket } from './sender.ts'

const key = 'bitbucket-secret'

describe('bitbucket', () => {
  itIsSigned({
    sender: bitbucket,
    body: '{"push":{"changes":[]}}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('answers the test of a connection', () => {
    const webhook = webhookOf(bitbucket, { secret: key })
    const headers = { 'x-event-key': 'diagnostics:ping' }
    expect(receiveGreeting(webhook, { headers, body: { test: true } })).toEqual({ status: 200 })
    expect(receiveGreeting(webhook, { body: { test: true } })).toBeUndefined()
  })
})
