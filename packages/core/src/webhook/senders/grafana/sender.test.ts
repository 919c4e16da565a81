import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { itIsSigned, verdictOf, webhookOf } from '../sender.fixture.ts'
import { grafana } from './sender.ts'

const key = 'grafana-secret'

describe('grafana', () => {
  itIsSigned({
    sender: grafana,
    body: '{"receiver":"My Super Webhook","status":"firing"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('accepts one without a timestamp, and not one whose timestamp was removed', () => {
    const webhook = webhookOf(grafana, { secret: key })
    const sign = (text: string): string => createHmac('sha256', key).update(text).digest('hex')
    const headers = (text: string): Record<string, string> => ({
      'X-Grafana-Alerting-Signature': sign(text),
    })
    expect(verdictOf(webhook, { headers: headers('{}'), body: '{}' }, 0)).toBe('accepted')
    expect(verdictOf(webhook, { headers: headers('1:{}'), body: '{}' }, 0)).toBe(
      'signature_mismatch',
    )
  })
})
