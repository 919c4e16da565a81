// Signs users up, several at a time, until it is killed. Reports each completed sign-up.
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { createFlow } from '../src/auth/flows/create-flow.ts'
import { testAuth } from '../src/auth/service.fixture.ts'
import { systemClock } from '../src/time/clock.ts'

const [filename = '', round = ''] = process.argv.slice(2)
const storage = createSqliteStorage({ filename })
const { auth } = testAuth(
  {
    authentication: { rate_limits: { signup: { per_ip: { enabled: false } } } },
    authentication_flow: { rate_limits: { per_ip: { enabled: false } } },
    verification: { claims: { email: { required: false } } },
  },
  { storage, clock: systemClock },
)

async function signUp(email: string): Promise<void> {
  const result = await createFlow(auth, {
    type: 'signup',
    name: 'default',
    input: {
      identification: 'email',
      login_id: email,
      authentication: 'primary_password',
      new_password: 'tidal-lantern-42',
    },
  })
  if (result.ok && result.result.action.type === 'finished') process.stdout.write(`${email}\n`)
}

async function signUpAll(worker: number): Promise<never> {
  for (let number = 0; ; number++) await signUp(`r${round}.w${worker}.n${number}@example.com`)
}

await Promise.all([0, 1, 2, 3].map(signUpAll))
