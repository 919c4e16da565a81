// Links provider accounts to existing accounts, several at a time, until it is killed. Reports each linked account.
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { comeBy, oauthHouse } from '../src/auth/kinds/oauth/oauth-house.fixture.ts'
import { rule } from '../src/auth/linking/linking-house.fixture.ts'
import { createUser } from '../src/auth/people/create-user.ts'
import { startFlow, stateOf } from '../src/auth/service.fixture.ts'
import { systemClock } from '../src/time/clock.ts'

const [filename = '', round = ''] = process.argv.slice(2)
const storage = createSqliteStorage({ filename })
const off = { per_ip: { enabled: false } }
const house = oauthHouse(
  {
    authentication: { rate_limits: { general: { ...off, per_user_per_ip: { enabled: false } } } },
    authentication_flow: { rate_limits: off },
    account_linking: { oauth: [rule('google')] },
  },
  undefined,
  { storage, clock: systemClock },
)
const password = 'tidal-lantern-42'

async function link(email: string): Promise<void> {
  await createUser(house.auth, { email, password })
  const flow = await startFlow(house, 'signup')
  stateOf(await comeBy(house, flow, { subject: email, email }))
  const input = { index: 0, authentication: 'primary_password', password }
  if (stateOf(await flow.input(input)).action.type === 'finished')
    process.stdout.write(`${email}\n`)
}

async function linkAll(worker: number): Promise<never> {
  for (let number = 0; ; number++) await link(`r${round}.w${worker}.n${number}@example.com`)
}

await Promise.all([0, 1, 2, 3].map(linkAll))
