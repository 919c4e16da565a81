// Runs in a project that has the files of docs/sign-in-recipes.md, made into JavaScript: strangers are refused, users are admitted.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createUser } from '@gatehouse/core'
import { createApp, createRouter, toNodeListener } from 'h3'
import { auth } from './gatehouse.js'

const user = { email: 'maya@example.com', password: 'tidal-lantern-42' }
const id = await createUser(auth, user)
const html = 'text/html,*/*;q=0.8'

/** The request of a login. */
const login = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: user.email },
      { authentication: 'primary_password', password: user.password },
    ],
  }),
}

/** @param {(path: string, init?: RequestInit) => Promise<Response>} ask */
async function check(title, ask, path) {
  const page = await ask('/login', { headers: { accept: html } })
  assert.equal(page.status, 200, `${title}: the sign-in page`)
  const away = await ask(path, { headers: { accept: html } })
  assert.equal(away.status, 302, `${title}: a page`)
  assert.equal(away.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`)
  const answer = await ask('/api/v1/authentication_flows', login)
  assert.equal(answer.status, 200, `${title}: the login`)
  const cookies = answer.headers.getSetCookie()
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const me = await ask(path, { headers: { cookie } })
  assert.deepEqual(await me.json(), { id }, `${title}: who is signed in`)
  return await ask(path)
}

/** @param {{ address(): import('node:net').AddressInfo }} server */
function over(server) {
  const { port } = server.address()
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
}

async function expectJson(refused) {
  assert.equal(refused.status, 401)
  assert.equal((await refused.json()).error.reason, 'NotAuthenticated')
}

const { app: fastify } = await import('./fastify.js')
await expectJson(await check('Fastify', over(fastify.server), '/me'))
await fastify.close()
console.log('ok  the recipe for Fastify')

const { app: nest } = await import('./nest.js')
await expectJson(await check('NestJS', over(nest.getHttpServer()), '/me'))
await nest.close()
console.log('ok  the recipe for NestJS')

const { handle } = await import('./hooks.server.js')
const svelte = (path, init) => {
  const request = new Request(`http://localhost:3000${path}`, init)
  const event = {
    request,
    url: new URL(request.url),
    locals: {},
    getClientAddress: () => '127.0.0.1',
  }
  const resolve = ({ locals }) => Response.json({ id: locals.session?.user_id })
  return handle({ event, resolve })
}
await expectJson(await check('SvelteKit', svelte, '/orders'))
assert.deepEqual(await (await svelte('/')).json(), {})
console.log('ok  the recipe for SvelteKit')

const splat = await import('./splat.js')
const orders = await import('./orders.js')
const router = async (path, init) => {
  const request = new Request(`http://localhost:3000${path}`, init)
  if (path !== '/orders')
    return (request.method === 'GET' ? splat.loader : splat.action)({ request })
  const data = await orders.loader({ request }).catch((refused) => refused)
  return data instanceof Response ? data : Response.json(data)
}
assert.equal((await check('React Router', router, '/orders')).status, 302)
console.log('ok  the recipe for React Router')

const { default: all } = await import('./nuxt-auth.js')
const { default: me } = await import('./nuxt-me.js')
const server = createServer(
  toNodeListener(createApp().use(createRouter().use('/me', me).use('/**', all))),
)
await new Promise((done) => server.listen(0, '127.0.0.1', done))
await expectJson(await check('Nuxt', over(server), '/me'))
server.close()
console.log('ok  the recipe for Nuxt')
process.exit(0) // the service runs until then
