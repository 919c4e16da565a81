import { Readable } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { GatehouseError } from '../../../errors.ts'
import type { TlsOptions } from '../../../http-client/tls-options.ts'
import type { Clock } from '../../../time/clock.ts'
import { loadSmtpConnection } from './smtp-connection.ts'
import { plainToken, type SmtpLogin, type SmtpMechanism } from './smtp-login.ts'

/** An email to send. */
export interface OutgoingMail {
  /** The bare address. */
  readonly from: string
  /** Bare addresses. */
  readonly to: readonly string[]
  /** ASCII lines. */
  readonly message: string
}

/** A mail server. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** The host name in the greeting. */
  readonly hello: string
  /** Whether to use TLS from the start, to require STARTTLS, or to use no TLS. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly tls: TlsOptions
}

/** A connection to a mail server. Each step fails when the connection breaks, or when the signal is aborted. */
export interface SmtpSession {
  /** Whether the connection uses TLS. */
  readonly isSecure: boolean
  /** Connects and sends the greeting. Returns the extensions of the server. */
  greet(): Promise<string>
  logIn(mechanism: SmtpMechanism, login: SmtpLogin): Promise<void>
  /** Sends an email to all recipients, or to none. */
  send(mail: OutgoingMail): Promise<void>
  /** Sends QUIT, without waiting for the reply. */
  quit(): void
  /** Closes the connection. */
  close(): void
}

/** Options of {@link createSmtpSession}. */
export interface SmtpSessionOptions {
  server: SmtpServer
  signal: AbortSignal
  clock: Clock
}

/** How long to wait for the reply to QUIT. */
const quitTimeoutMs = 5_000

/**
 * Prepares a connection to a mail server.
 *
 * @throws {GatehouseError} `MissingPackage`; `UnusableTls` if certificates or keys are not valid.
 */
export async function createSmtpSession(options: SmtpSessionOptions): Promise<SmtpSession> {
  const { server, signal, clock } = options
  if (server.security !== 'none') checkTls(server.tls)
  const Connection = await loadSmtpConnection()
  let offeredBeforeTls = ''
  const connection = new Connection({
    host: server.host,
    port: server.port,
    name: server.hello,
    secure: server.security === 'tls',
    ...(server.security === 'starttls' ? { requireTLS: true } : { ignoreTLS: true }),
    tls: server.tls,
    customAuth: {
      // The package's own PLAIN supports no identity.
      PLAIN: async ({ auth, sendCommand }) => {
        const { status } = await sendCommand(`AUTH PLAIN ${auth.token}`)
        if (status !== 235) throw new Error('Invalid login')
      },
    },
    transactionLog: true,
    logger: commandLogger((command) => {
      if (command === 'STARTTLS') offeredBeforeTls = String(connection.lastServerResponse)
    }),
  })
  const step = stepsOf(connection, signal)
  return {
    get isSecure() {
      return connection.secure
    },
    async greet() {
      await step((done) => connection.connect(done)).finally(() => {
        if (offeredBeforeTls !== '') checkStartTls(offeredBeforeTls, server)
      })
      return String(connection.lastServerResponse)
    },
    logIn(method, login) {
      const pass = method === 'CRAM-MD5' ? login.secret : login.password
      const credentials = { user: login.username, pass }
      const auth = { method, user: login.username, credentials, token: plainToken(login) }
      return step((done) => connection.login(auth, done))
    },
    send({ from, to, message }) {
      const envelope: Envelope = { from, to: [...to], use8BitMime: true }
      const unlessRefused = Readable.from(checkThenYield(envelope, message))
      return step((done) => connection.send(envelope, unlessRefused, done))
    },
    quit() {
      connection.once(
        'end',
        clock.setTimer(quitTimeoutMs, () => connection.close()),
      )
      connection.quit()
    },
    close: () => connection.close(),
  }
}

/** Rejects invalid certificates and keys before connecting, because a retry would not help. */
function checkTls(tls: TlsOptions): void {
  try {
    createSecureContext(tls)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new GatehouseError('Invalid', 'UnusableTls', `tls_config cannot be used: ${problem}`)
  }
}

type Done = (error?: Error | null) => void
type Step = (start: (done: Done) => void) => Promise<void>
type Connection = InstanceType<Awaited<ReturnType<typeof loadSmtpConnection>>>

/** Runs steps one after the other. */
function stepsOf(connection: Connection, signal: AbortSignal): Step {
  const broken = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp)
    connection.on('error', reject)
    connection.once('end', () => {
      signal.removeEventListener('abort', giveUp)
      reject(new Error('the connection was closed'))
    })
  })
  // A waiting step gets the error; after the last step it is not needed.
  broken.catch(() => undefined)
  return (start) => {
    const done = new Promise<void>((resolve, reject) => {
      start((error) => (error ? reject(error) : resolve()))
    })
    return Promise.race([broken, done])
  }
}

/** Receives the commands that are sent to the server, without secrets. */
function commandLogger(onCommand: (command: string) => void): object {
  const ignore = (): void => undefined
  return {
    trace: ignore,
    debug({ tnx }: { tnx?: unknown }, text: unknown) {
      if (tnx === 'client') onCommand(String(text))
    },
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  }
}

function checkStartTls(offered: string, { host, port }: SmtpServer): void {
  if (/^250[- ]STARTTLS\b/im.test(offered)) return
  const problem = `"${host}:${port}" does not advertise the STARTTLS extension`
  throw new Error(`'require_tls' is true (default) but ${problem}`)
}

/** The envelope of an email; the package adds the refused recipients. */
interface Envelope {
  from: string
  to: string[]
  use8BitMime: true
  rejectedErrors?: readonly Error[]
}

/** Yields the message, unless a recipient was refused: then the transaction is aborted, and no recipient gets it. */
function* checkThenYield(envelope: Envelope, message: string): Generator<string> {
  const [refused] = envelope.rejectedErrors ?? []
  if (refused !== undefined) throw refused
  yield message
}
