import { describe, expect, it } from 'vitest'
import { createRouteClient } from '../http/routes.fixture.ts'
import { maya, signedIn } from '../own-account/account.fixture.ts'
import { scheduleDeletion } from '../own-account/schedule-deletion.ts'
import { endDueUsers } from '../people/start-user-maintenance.ts'
import { updateUser } from '../people/update-user.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'

const day = 86_400_000
const account_deletion = { scheduled_by_end_user_enabled: true, grace_period_days: 7 }

/** Maya, who wants her account deleted, and her mails. */
async function leaving(delta: ConfigDelta = {}) {
  const world = testAuth({ account_deletion, ...delta })
  const person = await signedIn(world)
  const deliver = async (): Promise<void> => {
    const running = startEvents(world.auth)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    await running.stop()
  }
  await deliver()
  world.outbox.clear()
  const at = await scheduleDeletion(world.auth, person.session, person.request)
  await deliver()
  const mail = world.outbox.messages.find(({ kind }) => kind === 'deletion_scheduled')
  const link = new URL(/https:\S+code=\S+/.exec(mail?.text ?? '')?.[0] ?? 'https://none.example')
  const client = createRouteClient(world.auth)
  const send = async (method: string, search = link.search, headers = {}) => {
    const answer = await client.send(`${link.pathname}${search}`, { method, headers })
    return { status: answer.status, text: await answer.text() }
  }
  return { ...world, person, at, mail, link, send, deliver }
}

describe('a mail about the deletion of an account', () => {
  it('says when, and leads to a page whose button alone keeps the account', async () => {
    const world = await leaving()
    expect(world.mail).toMatchObject({
      target: maya.email,
      subject: 'Your account will be deleted',
    })
    expect(world.mail?.text).toContain('will be deleted on 11 March 2026 at 10:00 UTC.')
    const page = await world.send('GET')
    expect(page.text).toContain('Your account is to be deleted on 11 March 2026 at 10:00 UTC.')
    expect(await world.person.details()).toMatchObject({ delete_at: world.at })
    expect((await world.send('POST')).text).toContain('Your account stays')
    expect(await world.person.details()).toMatchObject({ delete_at: null, delete_by: null })
    // Pressed twice, it stays.
    expect((await world.send('POST')).text).toContain('Your account stays')
    await world.deliver()
    expect(world.events.map(({ type }) => type)).toContain('user.deletion_unscheduled')
    world.clock.advance(7 * day)
    expect(await endDueUsers(world.auth)).toEqual({ deleted: 0, anonymized: 0 })
  })

  it('is not sent if it is switched off', async () => {
    const { mail } = await leaving({ messaging: { notices: { deletion_scheduled: false } } })
    expect(mail).toBeUndefined()
  })

  it('keeps nothing once it is due, changed, of another deletion, or pressed on another site', async () => {
    const world = await leaving()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await world.send('POST', world.link.search, foreign)).status).toBe(403)
    for (const search of ['', '?code=x', world.link.search.slice(0, -1)]) {
      expect((await world.send('GET', search)).status).toBe(403)
      expect((await world.send('POST', search)).status).toBe(403)
    }
    await updateUser(world.auth, world.person.id, { delete_at: world.at })
    expect((await world.send('POST')).status).toBe(403)
    expect(await world.person.details()).toMatchObject({ delete_by: 'admin' })
    world.clock.advance(7 * day)
    expect((await world.send('GET')).status).toBe(403)
    await endDueUsers(world.auth)
    expect((await world.send('POST')).status).toBe(403)
  })
})
