import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { stripe } from './sender.ts'

const key = 'whsec_test'

describe('stripe', () => {
  itIsSigned({
    sender: stripe,
    body: '{"id":"evt_1","object":"event","type":"charge.succeeded"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })
})
