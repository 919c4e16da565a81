import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail that a server received. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Whether it came over TLS. */
  readonly isSecure: boolean
  /** The logged-in user; `undefined` without a login. */
  readonly user: unknown
  /** Headers and body. */
  readonly message: string
}

/** A mail server of a test. */
export interface MailServer {
  readonly port: number
  /** In order of arrival. */
  readonly mails: readonly TakenMail[]
  /** The number of connections so far. */
  readonly connections: () => number
}

/** Starts a real mail server on the loopback interface. It ends with the test that called this. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: TakenMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++
      done()
    },
    onData(stream, { envelope, secure, user }, done) {
      const { mailFrom, rcptTo } = envelope
      const from = mailFrom === false ? '' : mailFrom.address
      const to = rcptTo.map(({ address }) => address)
      readText(stream).then((message) => {
        mails.push({ from, to, isSecure: secure, user, message })
        done()
      }, done)
    },
    ...options,
  })
  // Errors of clients that reject its certificate or disconnect.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { port, mails, connections: () => connections }
}
