import { createAuth, startAuth } from '@gatehouse/core'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const origin = `http://localhost:${port}`
const auth = createAuth({
  storage: createSqliteStorage({ filename: 'people.db' }),
  config: {
    id: 'custom-ui',
    http: { public_origin: origin },
    authentication: {
      identities: ['login_id', 'passkey'],
      primary_authenticators: ['password', 'passkey'],
      secondary_authenticators: ['totp'],
    },
    links: { reset_password: `${origin}/recovery?code={code}` },
  },
  secrets: [{ id: 'k1', key: process.env.AUTH_KEY ?? '' }],
  senders: { sendEmail: async ({ target, text }) => console.log(`mail to ${target}:\n${text}`) },
  passkeys: createPasskeys(),
})
startAuth(auth)
serve({ fetch: createApp(auth).fetch, port }, () => console.log(origin))
