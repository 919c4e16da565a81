import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { shopify } from './sender.ts'

const key = 'shopify-secret'

describe('shopify', () => {
  itIsSigned({
    sender: shopify,
    body: '{"id":820982911946154508,"email":"jon@example.com"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })
})
