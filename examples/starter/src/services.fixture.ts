import { createScryptHasher } from '@gatehouse/core/auth' // with sign-in
import { createManualClock, createMessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { ask } from './hono/ask.ts'
import { createServices } from './services.ts'

/** The app in memory: its clock moves when a test advances it, and mails go to an outbox. */
export function createTestApp() {
  const clock = createManualClock()
  const mails = createMessageOutbox()
  const services = createServices({
    clock,
    storage: createMemoryStorage({ clock }),
    environment: {
      PATH: process.env.PATH,
      AUTH_KEY: 'a key for tests, of 32 bytes or more',
      DEPLOY_TOKEN: 'a token for tests',
    },
    senders: mails.senders, // with sign-in
    hasher: createScryptHasher({ N: 1_024 }), // cheap, for tests // with sign-in
  })
  let cookie = ''

  /** Sends a request as a browser does, which keeps cookies. */
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await ask(services, path, {
      method,
      headers: { 'Content-Type': 'application/json', cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const given = answer.headers.getSetCookie().map((text) => text.split(';')[0])
    if (given.length > 0) cookie = given.join('; ')
    return answer
  }
  return {
    clock,
    mails,
    services,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown, headers = {}) => send('POST', path, body, headers),
  }
}
