import { expect, it } from 'vitest'
import { approveLink } from '../flows/approve-link.ts'
import { stateOf, testAuth } from '../service.fixture.ts'
import { signedIn, tom } from './account.fixture.ts'

const shared = 'harbour@harborlight.example'
const named = { identification: 'email', login_id: shared }

it('the link of an account change approves that change alone', async () => {
  const world = testAuth({ verification: { claims: { email: { otp_form: 'link' } } } })
  const [maya, stranger] = [await signedIn(world), await signedIn(world, tom)]
  const hers = await maya.begin({ add_identity: 'email' })
  const his = await stranger.begin({ add_identity: 'email' })
  for (const flow of [hers, his]) stateOf(await flow.input(named))
  expect(world.outbox.messages).toHaveLength(1)
  await approveLink(world.auth, world.codeTo(shared))
  expect((await his.input({ check: true })).ok).toBe(false)
  expect(stateOf(await hers.input({ check: true })).action.type).toBe('finished')
  const { identities } = await maya.details()
  expect(identities.map(({ email }) => email)).toContain(shared)
  expect((await stranger.details()).identities).toHaveLength(1)
})
