import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createAuth, createSession, createUser } from '@gatehouse/core'
import type { Storage } from '@gatehouse/core/store'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createOidcProvider } from '../src/create-oidc-provider.ts'

/**
 * An authorization server on PostgreSQL that kills itself during its first request to the token endpoint, right after the given number
 * of commits. With 0 it lives, makes a user with a session, and prints the cookies.
 */
const [url = '', commits = '0'] = process.argv.slice(2)
const doomAfter = Number(commits)

let isArmed = false
let done = 0

const stored = createPostgresStorage({ timeoutMs: 60_000, url })
const storage: Storage = new Proxy(stored, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name, target)
    if (typeof member !== 'function') return member
    const method = member.bind(target)
    if (name !== 'commit') return method
    return async (...args: unknown[]) => {
      const result = await method(...args)
      if (isArmed && doomAfter > 0) {
        done++
        if (done === doomAfter) process.kill(process.pid, 'SIGKILL')
      }
      return result
    }
  },
})

const auth = createAuth({
  storage,
  config: { id: 'test', http: { public_origin: 'https://id.example.com' } },
  secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
  logger: false,
})
const { routes } = createOidcProvider({
  auth,
  clients: [
    {
      clientId: 'spa',
      name: 'Shop',
      type: 'spa',
      redirectUris: ['https://app.example.com/callback'],
      consent: 'never',
    },
  ],
})
if (doomAfter === 0) {
  const user = await createUser(auth, { email: 'maya@example.com' })
  const { cookies } = await createSession(auth, user, { amr: ['pwd'] })
  process.stdout.write(
    `cookie ${cookies.map(({ name, value }) => `${name}=${value}`).join('; ')}\n`,
  )
}
const handle = nodeAdapter([...auth.routes, ...routes], { trustedProxies: ['127.0.0.1'] })
const server = createServer((request, response) => {
  isArmed ||= request.url === '/oidc/token'
  return handle(request, response)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`)
})
