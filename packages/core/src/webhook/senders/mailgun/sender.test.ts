import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { mailgun } from './sender.ts'

const key = 'mailgun-key'

describe('mailgun', () => {
  itIsSigned({
    sender: mailgun,
    body: '{"signature":{"timestamp":"1","token":"a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0","signature":""},"event-data":{"event":"opened"}}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,

    isUncovered: true,
  })
})
