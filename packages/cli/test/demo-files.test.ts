import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WhoAmI } from '@gatehouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoFiles, forPlace } from '../../../scripts/demo-files.mjs'
import { demoToken } from '../../../scripts/demo-jobs.mjs'
import { type DemoPerson, enterPeople } from '../../../scripts/demo-people.mjs'
import { freePort } from '../../../test-support/free-port.mjs'
import { launchFile, main } from './support/api-server.ts'
import { run } from './support/run.ts'
import { type Server, temporaryFolder } from './support/server.ts'

const here = { inboxPort: 9094, host: '127.0.0.1' }

describe('the files of npm start', () => {
  let folder = ''
  let server: Server
  beforeAll(async () => {
    folder = await temporaryFolder()
    for (const [name, text] of Object.entries(demoFiles(here))) {
      await writeFile(join(folder, name), text, { mode: 0o600 })
    }
    server = await launchFile(join(folder, 'gatehouse.yml'), [
      '--listen',
      // Apps know the port as part of the issuer.
      `127.0.0.1:${await freePort()}`,
    ])
    return async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })

  const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
  const post = (path: string, body: object): Promise<Response> =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('pass the check without a warning', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [
      main,
      'check',
      '--strict',
      '--config',
      join(folder, 'gatehouse.yml'),
    ])
    expect({ code, text: stdout + stderr }).toEqual({
      code: 0,
      text: expect.not.stringMatching(/warn/i),
    })
  })

  it('let everybody look and post alerts, and run webhooks with the token', async () => {
    expect(await get('/gatehouse/v1/me')).toEqual({
      subject: null,
      actions: ['alerts:read', 'alerts:post', 'config:read', 'metrics:read'],
    })
    expect((await fetch(`${server.url}/gatehouse/v1/users`)).status).toBe(401)
    const answer = await post('/webhook', {
      id: 'hello',
      token: demoToken,
      data: { name: 'world' },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'succeeded', stdout: 'Hello, world\n' })
  })

  it('have a person for each role, who may do more than the one before', async () => {
    const people = JSON.parse(await readFile(join(folder, 'people.json'), 'utf8')) as DemoPerson[]
    await enterPeople(server.url, demoToken, people)
    const origin = `http://localhost:${new URL(server.url).port}`
    const actionsOf = async (id: string): Promise<readonly string[]> => {
      const { email: login_id, password } = people.find((person) => person.id === id) ?? {}
      const authentication = 'primary_password'
      const input = { identification: 'email', login_id, authentication, password, skip: true }
      const signedIn = await fetch(`${origin}/api/v1/authentication_flows`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'login', name: 'default', input }),
      })
      const cookie = signedIn.headers.getSetCookie().map((text) => text.split(';')[0])
      const me = await fetch(`${origin}/gatehouse/v1/me`, {
        headers: { cookie: cookie.join('; ') },
      })
      const { subject, actions } = (await me.json()) as WhoAmI
      expect(subject).toEqual({ id: `${id}@example.com`, kind: 'session' })
      return actions
    }
    const [viewer, operator, admin] = await Promise.all([
      actionsOf('viewer'),
      actionsOf('operator'),
      actionsOf('admin'),
    ])
    expect(viewer).toContain('webhooks:read')
    expect(viewer).not.toContain('silences:write')
    expect(operator).toEqual(
      expect.arrayContaining([...viewer, 'silences:write', 'webhooks:run', 'webhooks:cancel']),
    )
    expect(operator).not.toContain('users:manage')
    expect(admin).toEqual(expect.arrayContaining([...operator, 'users:manage']))
  })

  it('enter people once, so that who was deleted does not come back', async () => {
    const people = JSON.parse(await readFile(join(folder, 'people.json'), 'utf8')) as DemoPerson[]
    const asAdmin = { headers: { authorization: `Bearer ${demoToken}` } }
    await enterPeople(server.url, demoToken, people)
    await fetch(`${server.url}/gatehouse/v1/users/jo`, { method: 'DELETE', ...asAdmin })
    await enterPeople(server.url, demoToken, people)
    const listed = await fetch(`${server.url}/gatehouse/v1/users`, asAdmin)
    expect(((await listed.json()) as { items: unknown[] }).items).toHaveLength(people.length - 1)
  })

  it('let apps sign people in: Grafana, and a device that has a code only', async () => {
    const origin = `http://localhost:${new URL(server.url).port}`
    expect(await get('/.well-known/openid-configuration')).toMatchObject({ issuer: origin })
    const asked = await fetch(`${origin}/oidc/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'terminal', scope: 'openid' }),
    })
    const { verification_uri_complete: page } = (await asked.json()) as Record<string, string>
    expect(await (await fetch(page ?? '')).text()).toContain('<form')
    const secret = (await readFile(join(folder, 'grafana.secret'), 'utf8')).trim()
    const tokens = await fetch(`${origin}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'none',
        code_verifier: 'v'.repeat(43),
        redirect_uri: 'http://localhost:3000/login/generic_oauth',
      }),
    })
    // Its secret is right, its code is not.
    expect([tokens.status, await tokens.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  it('name the inbox', () => {
    const files = demoFiles({ inboxPort: 1234, host: '0.0.0.0' })
    expect(files['alertmanager.yml']?.match(/127\.0\.0\.1:1234/g)).toHaveLength(2)
  })

  it('have another password in each folder', () => {
    const passwords = [demoFiles(here), demoFiles(here)].map(({ 'people.json': text = '' }) =>
      /"password": "(.+)"/.exec(text)?.at(1),
    )
    expect(passwords[0]).toMatch(/^lantern-[0-9a-f]{8}$/)
    expect(passwords[1]).not.toBe(passwords[0])
  })

  it('follow the port and the host of a later start, as far as nobody changed them', () => {
    const there = { inboxPort: 8081, host: '192.168.0.2' }
    const alerts = demoFiles(here)['alertmanager.yml'] ?? ''
    expect(forPlace(alerts, there)).toContain('http://127.0.0.1:8081/on-call')
    const earlier =
      '# Who may do what. npm start keeps this line: as it was\naccess:\n  anonymous: admin\n'
    expect(forPlace(earlier, there)).toMatch(/^ {2}anonymous: editor$/m)
    expect(forPlace(forPlace(earlier, there), here)).toBe(earlier)
    const own = 'access:\n  anonymous: viewer\n'
    expect(forPlace(own, there)).toBe(own)
  })
})
