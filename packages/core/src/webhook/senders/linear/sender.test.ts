import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { linear } from './sender.ts'

const key = 'linear-secret'

describe('linear', () => {
  itIsSigned({
    sender: linear,
    body: '{"action":"create","type":"Issue","webhookTimestamp":1}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })
})
