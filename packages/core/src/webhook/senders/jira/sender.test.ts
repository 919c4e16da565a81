import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { jira } from './sender.ts'

const key = 'jira-secret'

describe('jira', () => {
  itIsSigned({
    sender: jira,
    body: '{"webhookEvent":"jira:issue_created"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })
})
