import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AuthFolder, createAuthFolder, development } from './support/auth-folder.ts'

const webhooks = [
  { id: 'hello', token: 'a token of these tests', execute_command: 'echo', workdir: '' },
]
const alerts = { config: { route: { receiver: 'team' }, receivers: [{ name: 'team' }] } }
const access = {
  roles: { runner: { actions: ['webhooks:run'] } },
  tokens: { ci: { token: 'a token of a machine of these tests', roles: 'runner' } },
}

let folder: AuthFolder

beforeEach(() => {
  folder = createAuthFolder()
})
afterEach(() => folder.remove())

const alone = { auth: undefined }

const html = 'text/html; charset=utf-8'
const json = 'application/json'

it.each([
  ['sign-in alone', {}, '/openapi.json', json],
  ['webhooks alone', { ...alone, webhooks }, '/', html],
  ['alerts alone', { ...alone, alerts }, '/', html],
  ['alerts below a prefix', { ...alone, alerts: { ...alerts, base_path: '/am' } }, '/am/', html],
  ['all services', { alerts, webhooks }, '/', html],
])(
  'a server with %s has a page at its start, and says who sends a request',
  async (_, keys, place, type) => {
    folder.configure({}, development, keys)
    const { url } = await folder.serve()
    const start = await fetch(`${url}/`)
    expect(start.status).toBe(200)
    expect(start.url).toBe(url + place)
    expect(start.headers.get('content-type')).toContain(type)
    if (type === json) expect(await start.json()).toMatchObject({ openapi: '3.1.0' })
    const me = await fetch(`${url}/gatehouse/v1/me`)
    expect(me.status).toBe(200)
    expect(await me.json()).toMatchObject({
      subject: null,
      actions: expect.arrayContaining(['alerts:read']),
    })
  },
)

it('a console beside sign-in has the pages to sign in, and no account API that nobody asked for', async () => {
  folder.configure({}, development, { alerts })
  const { url } = await folder.serve()
  const start = await (await fetch(`${url}/`)).text()
  expect(start).toContain('name="gatehouse-sign-in" content="./login"')
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status
  expect(await status('/login')).toBe(200)
  expect([await status('/account'), await status('/api/v1/account')]).toEqual([404, 404])
})

it('sign-in without a console has no pages that nobody asked for', async () => {
  folder.configure({}, development, { alerts, console: false })
  const { url } = await folder.serve()
  expect((await fetch(`${url}/login`)).status).toBe(404)
})

it('a server without alerts says what a sender may do, and asks an unknown one to sign in', async () => {
  folder.configure({}, {}, { ...alone, webhooks, access })
  const { url } = await folder.serve()
  const ask = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/gatehouse/v1/me${query}`, { headers })
  const authorization = 'Bearer a token of a machine of these tests'
  expect(await (await ask('?signIn=true', { authorization })).json()).toEqual({
    subject: { id: 'ci', kind: 'token' },
    actions: ['webhooks:run'],
  })
  expect(await (await ask('')).json()).toEqual({ subject: null, actions: [] })
  const refused = await ask('?signIn=true')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})
