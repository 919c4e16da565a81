import { createAnonymousUser, formatSetCookie } from '@gatehouse/core/auth'
import { createLdapClient } from '@gatehouse/core/ldap'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { createMessageOutbox } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { type Directory, startDirectory } from '../../../test-support/directory.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { startMailServer } from '../../../test-support/mail-server.ts'
import { createSmtpSender } from '../../cli/src/senders/smtp.ts'
import {
  type OidcProvider,
  startOidcProvider,
} from '../../core/src/auth/oauth-client/oidc-provider.fixture.ts'
import { createCertificate } from '../../core/src/http-client/certificate.fixture.ts'
import { signInRoutes } from '../src/index.ts'
import { type SignInServer, startServer } from './sign-in.fixture.ts'

/** The path below which the pages have one flow for newcomers and users, `signup_login`. */
export const bothPath = '/both'

const base = 'dc=harborlight,dc=example'
const authority = createCertificate('authority')

/** What a person knows and has, and writes down on the way. */
export interface Person {
  readonly email: string
  /** For codes as a second factor: one address is one factor. */
  readonly secondEmail: string
  readonly phone: string
  readonly secondPhone: string
  readonly username: string
  password: string
  readonly secondPassword: string
  readonly directoryPassword: string
  totpSecret: string
  recoveryCodes: string[]
}

export const newPerson = (): Person => ({
  email: 'maya@harborlight.example',
  secondEmail: 'maya@lighthouse.example',
  phone: '+4740612345',
  secondPhone: '+4791234567',
  username: 'maya',
  password: 'tidal-lantern-42',
  secondPassword: 'driftwood-parade-77',
  directoryPassword: 'tidal-maya',
  totpSecret: '',
  recoveryCodes: [],
})

/** What all services of a walk share: the servers outside. */
export interface Surroundings {
  readonly port: number
  readonly provider: OidcProvider
  readonly directory: Directory | undefined
  close(): Promise<void>
}

export async function startSurroundings(hasDirectory: boolean): Promise<Surroundings> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const provider = await startOidcProvider({
    interactive: true,
    redirectUris: [`${origin}/sign-in/callback`, `${origin}${bothPath}/sign-in/callback`],
  })
  const { cert: certificate, key } = createCertificate('directory', { issuer: authority })
  const ldif = `dn: uid=maya,${base}
objectClass: inetOrgPerson
uid: maya
cn: Maya of the harbor
sn: Harbor
employeeNumber: id-maya
userPassword: ${newPerson().directoryPassword}
`
  const directory = hasDirectory ? await startDirectory({ ldif, certificate, key }) : undefined
  return {
    port,
    provider,
    directory,
    close: async () => {
      await provider.close()
      await directory?.stop()
    },
  }
}

/** A service with its pages, on the servers outside. */
export interface World {
  readonly server: SignInServer
  /** What the newest message to an address that was not read yet says: its code, or its link. */
  read(target: string): Promise<{ code: string; link: string | undefined }>
  /** Makes a browser that of a guest. Returns who it is. */
  beGuest(page: Page): Promise<string>
}

/** The text of a mail, as far as codes and links need it. */
const plain = (message: string): string =>
  message
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Starts a service. It is stopped by `world.server.stop()`; its mail server ends with the test. */
export async function startWorld(around: Surroundings, sections: object): Promise<World> {
  const { port, provider, directory } = around
  const origin = `http://localhost:${port}`
  const mailServer = await startMailServer({ disabledCommands: ['STARTTLS'] })
  const smtp = createSmtpSender({
    host: '127.0.0.1',
    port: mailServer.port,
    from: 'Harbor Light <no-reply@harborlight.example>',
    security: 'off',
    login: undefined,
    ca: undefined,
    timeoutMs: 30_000,
  })
  const outbox = createMessageOutbox()
  const server = await startServer({
    port,
    config: {
      links: { reset_password: `${origin}/recovery?code={code}` },
      ...sections,
    },
    pages: { after: '/account' },
    auth: {
      senders: { ...outbox.senders, sendEmail: (message) => smtp.send(message) },
      oauth: createOAuthClient({
        credentials: { acme: { clientSecret: provider.clientSecret } },
        allowPrivateAddresses: true,
      }),
      ...(directory === undefined
        ? {}
        : {
            ldap: createLdapClient({
              credentials: { harbor: directory.account },
              ca: { harbor: authority.cert },
              timeoutMs: 30_000,
            }),
          }),
    },
    routes: (auth) =>
      signInRoutes(auth, {
        basePath: bothPath,
        name: 'Harbor Light',
        account: false,
        after: '/account',
        flows: { login: { type: 'signup_login', name: 'default' } },
      }).filter(({ path }) => path.startsWith(bothPath)),
  })
  const wasRead = new Set<string>()
  const newest = (target: string): { code: string; link: string | undefined } | undefined => {
    if (!target.includes('@')) {
      const { code, link } = outbox.messages.findLast((one) => one.target === target) ?? {}
      return code === undefined && link === undefined ? undefined : { code: code ?? '', link }
    }
    const mail = mailServer.mails.findLast(({ to }) => to.includes(target))
    if (mail === undefined) return undefined
    const text = plain(mail.message)
    const link = /http:\/\/localhost[^\s"<>]+/.exec(text)?.[0]
    return { code: /\b\d{6}\b/.exec(text.split('\r\n\r\n').slice(1).join('\n'))?.[0] ?? '', link }
  }
  return {
    server: {
      ...server,
      stop: async () => {
        await smtp.close?.()
        await server.stop()
      },
    },
    async read(target) {
      for (const until = Date.now() + 10_000; Date.now() < until; ) {
        const found = newest(target)
        const key = found && `${target} ${found.code} ${found.link}`
        if (found !== undefined && key !== undefined && !wasRead.has(key)) {
          wasRead.add(key)
          return found
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`no new message to ${target} arrived`)
    },
    async beGuest(page) {
      const { cookies, user_id } = await createAnonymousUser(server.auth, {
        ip: '127.0.0.1',
        cookie: '',
      })
      for (const cookie of cookies) {
        const [pair = ''] = formatSetCookie(cookie).split(';')
        const [name = '', value = ''] = pair.split('=')
        await page.context().addCookies([{ name, value, url: origin }])
      }
      return user_id
    },
  }
}

/** The sections that name the servers outside. */
export function outsideSections({ provider, directory }: Surroundings): {
  readonly oauth: object
  readonly ldap: object
} {
  return {
    oauth: {
      providers: [
        {
          alias: 'acme',
          type: 'oidc',
          client_id: provider.clientId,
          discovery_document_endpoint: provider.discoveryUrl,
        },
      ],
    },
    ldap: {
      servers:
        directory === undefined
          ? []
          : [
              {
                name: 'harbor',
                url: `ldap://127.0.0.1:${directory.port}`,
                search_base_dn: base,
                search_filter_template: '(uid={{ $.Username }})',
                user_id_attribute_name: 'employeeNumber',
              },
            ],
    },
  }
}
