import { describe, expect, it } from 'vitest'
import { itIsSigned, verdictOf, webhookOf } from '../sender.fixture.ts'
import { standard } from './sender.ts'

const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('standard', () => {
  itIsSigned({
    sender: standard,
    body: '{"test": 2432232314, "a": "b"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it.each(['webhook', 'svix'])(
    'verifies the documented example, with the names of %s',
    (prefix) => {
      const headers = {
        [`${prefix}-id`]: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        [`${prefix}-timestamp`]: '1614265330',
        [`${prefix}-signature`]: 'v1a,x v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v2,y',
      }
      const webhook = webhookOf(standard, { secret: key })
      const body = '{"test": 2432232314}'
      expect(verdictOf(webhook, { headers, body }, 1_614_265_330_000)).toBe('accepted')
      expect(verdictOf(webhook, { headers, body: '{"test": 1}' }, 1_614_265_330_000)).toBe(
        'signature_mismatch',
      )
    },
  )
})
