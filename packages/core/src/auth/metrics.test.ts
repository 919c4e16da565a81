import { expect, it } from 'vitest'
import { createMetricsRegistry } from '../metrics/metrics.ts'
import { createUser } from './people/create-user.ts'
import { errorOf, startFlow, stateOf, testAuth } from './service.fixture.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { revokeSession } from './sessions/revoke-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

it('counts flows, refusals, codes, limits, sessions and password hashes', async () => {
  const metrics = createMetricsRegistry()
  const limits = { account_enumeration: { per_ip: { enabled: true, period: '1h', burst: 1 } } }
  const world = testAuth({ authentication: { rate_limits: limits } }, { metrics })
  const id = await createUser(world.auth, { email, password })
  const linesOf = async (name: string): Promise<readonly string[]> => {
    const { body } = await metrics.expose(null)
    const lines = body.split('\n').filter((line) => line.startsWith(`gatehouse_auth_${name}`))
    return lines.sort()
  }

  const login = await startFlow(world, 'login')
  await login.input({ identification: 'email', login_id: email })
  errorOf(await login.input({ authentication: 'primary_password', password: 'wrong' }))
  stateOf(await login.input({ authentication: 'primary_password', password }))
  for (const _ of ['asks', 'is limited']) {
    const guess = await startFlow(world, 'login')
    errorOf(await guess.input({ identification: 'email', login_id: 'nobody@harborlight.example' }))
  }
  const recovery = await startFlow(world, 'account_recovery')
  await recovery.input({ identification: 'email', login_id: email })
  await recovery.input({ index: 0 })
  await Promise.all(world.auth.sending)
  for (const session of await listSessions(world.auth, id))
    await revokeSession(world.auth, session.id)

  expect(await linesOf('flows_started_total')).toEqual([
    'gatehouse_auth_flows_started_total{type="account_recovery"} 1',
    'gatehouse_auth_flows_started_total{type="login"} 3',
  ])
  expect(await linesOf('flows_finished_total')).toEqual([
    'gatehouse_auth_flows_finished_total{type="login",outcome="finished"} 1',
  ])
  expect(await linesOf('requests_refused_total')).toEqual([
    'gatehouse_auth_requests_refused_total{reason="InvalidCredentials"} 1',
    'gatehouse_auth_requests_refused_total{reason="RateLimited"} 1',
    'gatehouse_auth_requests_refused_total{reason="UserNotFound"} 1',
  ])
  expect(await linesOf('codes_sent_total')).toEqual([
    'gatehouse_auth_codes_sent_total{channel="email",outcome="sent"} 1',
  ])
  expect(await linesOf('limits_hit_total')).toEqual([
    'gatehouse_auth_limits_hit_total{limit="AccountEnumerationPerIP"} 1',
  ])
  expect(await linesOf('sessions')).toEqual([
    'gatehouse_auth_sessions_ended_total 1',
    'gatehouse_auth_sessions_opened_total 1',
  ])
  expect(await linesOf('password_hashes')).toEqual([
    'gatehouse_auth_password_hashes_queued 0',
    'gatehouse_auth_password_hashes_refused_total 0',
  ])
  // One for the created user, one for each password attempt.
  expect(await linesOf('password_hash_duration_seconds_count')).toEqual([
    'gatehouse_auth_password_hash_duration_seconds_count 3',
  ])
})
