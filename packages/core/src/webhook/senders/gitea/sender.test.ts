import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { gitea } from './sender.ts'

const key = 'gitea-secret'

describe('gitea', () => {
  itIsSigned({
    sender: gitea,
    body: '{"ref":"refs/heads/main"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })
})
