// Creates users and recovers their accounts by a link, several at a time, until it is killed. Reports each user with a new
// password.
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { advanceFlow } from '../src/auth/flows/advance-flow.ts'
import { createFlow } from '../src/auth/flows/create-flow.ts'
import { createUser } from '../src/auth/people/create-user.ts'
import { testAuth } from '../src/auth/service.fixture.ts'
import { systemClock } from '../src/time/clock.ts'

const [kind = '', place = '', round = ''] = process.argv.slice(2)
const storage =
  kind === 'sqlite'
    ? createSqliteStorage({ filename: place })
    : createPostgresStorage({ timeoutMs: 60_000, url: place })
const off = { enabled: false }
const { auth, codeTo } = testAuth(
  {
    authentication_flow: { rate_limits: { per_ip: off } },
    forgot_password: { rate_limits: { email: { validate_per_ip: off } } },
    messaging: { rate_limits: { email_per_ip: off } },
  },
  { storage, clock: systemClock },
)

async function recover(email: string): Promise<void> {
  await createUser(auth, { email, password: 'tidal-lantern-42' })
  const named = { identification: 'email', login_id: email }
  await createFlow(auth, {
    type: 'account_recovery',
    name: 'default',
    batch_input: [named, { index: 0 }],
  })
  await Promise.all(auth.sending)
  const result = await advanceFlow(auth, {
    batch_input: [{ account_recovery_code: codeTo(email) }, { new_password: 'copper-meadow-7' }],
  })
  if (result.ok && result.result.action.type === 'finished') process.stdout.write(`${email}\n`)
}

async function recoverAll(worker: number): Promise<never> {
  for (let number = 0; ; number++) await recover(`r${round}.w${worker}.n${number}@example.com`)
}

await Promise.all([0, 1, 2, 3].map(recoverAll))
