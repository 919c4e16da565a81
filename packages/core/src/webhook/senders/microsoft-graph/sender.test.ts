import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { microsoftGraph } from './sender.ts'

const key = 'client-state'

describe('microsoft-graph', () => {
  itIsSigned({
    sender: microsoftGraph,
    body: '{"value":[{"subscriptionId":"1","clientState":"","changeType":"created"}]}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,

    isUncovered: true,
  })

  it('gives the validation token back as text', () => {
    const webhook = webhookOf(microsoftGraph, { secret: key })
    const query = { validationToken: 'Validation: <b>' }
    expect(receiveGreeting(webhook, { query })).toEqual({ status: 200, text: 'Validation: <b>' })
    const long = { validationToken: 'x'.repeat(2_001) }
    expect(receiveGreeting(webhook, { query: long })).toEqual({ status: 400 })
    expect(receiveGreeting(webhook, {})).toBeUndefined()
  })
})
