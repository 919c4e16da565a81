import { expect, it } from 'vitest'
import { runsOf } from '../../test-support/lane.ts'
import { storyOfFailure } from '../check-seeds.ts'
import { simulationOf } from '../run.ts'
import { strangersWorld, strangersWorldWith } from './world.ts'

it('people finish, and the strangers beside them get nothing', async () => {
  const simulation = simulationOf(strangersWorld)
  expect(await storyOfFailure(simulation, { from: 1, count: runsOf(30) })).toBe('')
}, 600_000)

it('a provider whose codes are bound to no flow is found out', async () => {
  const subjects = new Map<string, string>()
  const world = strangersWorldWith((oauth) => ({
    ...oauth,
    signIn(url, account) {
      const query = oauth.signIn(url, account)
      subjects.set(new URLSearchParams(query).get('code') ?? '', account.subject)
      return query
    },
    async redeem(_provider, { code }) {
      const subject = subjects.get(code) ?? ''
      const email = subject.includes('@') ? subject : 'eve@example.com'
      return { subject, claims: { email, email_verified: true }, raw: {} }
    },
  }))
  const found = await storyOfFailure(simulationOf(world), { from: 1, count: 300 })
  expect(found).toMatch(/no stranger gets a session|signed in as somebody else/)
}, 600_000)
