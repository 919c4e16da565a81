import * as client from 'openid-client'
import { describe, expect, it, vi } from 'vitest'
import { clients, email, origin, startWorld, type World } from '../test/world.fixture.ts'

const deviceFlow = { deviceFlow: true, clients: [clients.native, clients.web] }
const scope = 'openid email'

/** A device that shows a code. */
async function startDevice(world: World) {
  const configuration = await world.configuration('native')
  const shown = await client.initiateDeviceAuthorization(configuration, { scope })
  const poll = async () => {
    const answer = await world.fetch(`${origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: shown.device_code,
        client_id: 'native',
      }),
    })
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  return { configuration, shown, poll }
}

describe('the device flow', () => {
  it('lets a person enter the code, compare it, sign in and consent', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { configuration, shown, poll } = await startDevice(world)
    expect(shown.verification_uri).toBe(`${origin}/oidc/device`)
    expect(await poll()).toMatchObject({ error: 'authorization_pending' })
    const browser = world.browser()
    const entry = await browser.open(shown.verification_uri)
    const compare = await browser.send(entry, { user_code: shown.user_code.toLowerCase() })
    expect(compare.text).toContain(shown.user_code)
    expect(compare.text).toContain('Command line')
    const signIn = await browser.send(compare, {})
    const consent = await browser.signIn(signIn)
    expect(consent.text).toContain(email)
    const done = await browser.send(consent, { decision: 'allow' })
    expect(done.status).toBe(200)
    const tokens = await poll()
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope })
    const claims = await client.fetchUserInfo(
      configuration,
      tokens.access_token ?? '',
      world.userId,
    )
    expect(claims.email).toBe(email)
    expect(await poll()).toMatchObject({ error: 'invalid_grant' })
  })

  it('fills in the code of a link, and does not send it by itself', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { shown, poll } = await startDevice(world)
    const page = await world.browser().open(shown.verification_uri_complete ?? '')
    expect(page.text).toContain(`value="${shown.user_code}"`)
    expect(page.text).not.toContain('<script')
    expect(await poll()).toMatchObject({ error: 'authorization_pending' })
  })

  it('tells the device that the person has refused', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { shown, poll } = await startDevice(world)
    const browser = world.browser()
    const entry = await browser.open(shown.verification_uri)
    const compare = await browser.send(entry, { user_code: shown.user_code })
    const refused = await browser.send(compare, { abort: 'yes' })
    expect(refused.status).toBe(200)
    expect(await poll()).toMatchObject({ error: 'access_denied' })
  })

  it('says what is wrong with a code, and lets nobody try many', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { shown } = await startDevice(world)
    const browser = world.browser()
    const entry = await browser.open(shown.verification_uri)
    const missing = await browser.send(entry, { user_code: '' })
    expect(missing.status).toBe(400)
    const wrong = await browser.send(missing, { user_code: 'BBBB-BBBB' })
    expect([wrong.status, wrong.text.includes('BBBB-BBBB')]).toEqual([400, true])
    const statuses: number[] = []
    for (let tries = 0; tries < 20; tries++) {
      statuses.push((await browser.send(wrong, { user_code: 'BBBB-BBBB' })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    vi.setSystemTime(Date.now() + 700_000)
    const late = await browser.open(shown.verification_uri)
    const expired = await browser.send(late, { user_code: shown.user_code })
    expect(expired.status).toBe(400)
  })

  it('shows a form that works to a browser that sends one without having seen it', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { shown } = await startDevice(world)
    const browser = world.browser()
    const nowhere = { ...(await browser.open('/oidc/authorize')), text: '' }
    const url = new URL(`${origin}/oidc/device`)
    const refused = await browser.send({ ...nowhere, url }, { user_code: shown.user_code })
    expect(refused.status).toBe(400)
    const compare = await browser.send(refused, { user_code: shown.user_code })
    expect(compare.text).toContain('Command line')
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('gives tokens to one of two polls at the same time', async () => {
    const world = await startWorld({ oidc: deviceFlow })
    const { shown, poll } = await startDevice(world)
    const browser = world.browser()
    const entry = await browser.open(shown.verification_uri)
    const compare = await browser.send(entry, { user_code: shown.user_code })
    const consent = await browser.signIn(await browser.send(compare, {}))
    await browser.send(consent, { decision: 'allow' })
    const answers = await Promise.all([poll(), poll(), poll()])
    expect(answers.filter((answer) => 'access_token' in answer).length).toBeLessThanOrEqual(1)
  })
})
