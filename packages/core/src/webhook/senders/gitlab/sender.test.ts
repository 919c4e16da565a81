import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { gitlab } from './sender.ts'

const key = 'gitlab-secret'

describe('gitlab', () => {
  itIsSigned({
    sender: gitlab,
    body: '{"object_kind":"push"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,

    isUncovered: true,
  })
})
