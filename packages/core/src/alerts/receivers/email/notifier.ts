import { GatehouseError } from '../../../errors.ts'
import { readTlsOptions } from '../../../http-client/tls-options.ts'
import { withoutSecrets } from '../../../http-client/without-secrets.ts'
import { abortReason } from '../attempt/abort-reason.ts'
import type { Failure } from '../attempt/request-answer.ts'
import { secretOf } from '../attempt/secret-of.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts } from '../notifier.ts'
import { composeMail } from './compose-mail.ts'
import { type EmailIntegration, emailConfig } from './config.ts'
import { chooseMechanism, offeredMechanisms, type SmtpLogin, secretsOfLogin } from './smtp-login.ts'
import { createSmtpSession, type SmtpServer, type SmtpSession } from './smtp-session.ts'
import type { AlertmanagerEmailConfig } from './written.ts'

/**
 * Sends emails by SMTP, each over its own connection. Any refusal by a server is retried.
 *
 * Needs the package `nodemailer`.
 */
export const email: ReceiverKind<EmailIntegration, AlertmanagerEmailConfig> = {
  ...emailConfig,
  composeMail,
  create: (integration, ports) => ({
    name: 'email',
    async notify(notification, signal) {
      const mail = composeMail(integration, notification, ports)
      const server = await serverOf(integration, ports)
      const login = await loginOf(integration, ports)
      const session = await createSmtpSession({ server, signal, clock: ports.clock })
      let isSending = false
      try {
        await logIn(session, { server, login })
        isSending = true
        await session.send(mail)
      } catch (error) {
        session.close()
        const result = refused(error, signal, secretsOfLogin(login))
        return isSending && !isReply(error) ? { ...result, mayHaveArrived: true } : result
      }
      session.quit()
      return { outcome: 'sent' }
    },
  }),
}

/** Port names. */
const namedPorts: ReadonlyMap<string, number> = new Map([
  ['smtp', 25],
  ['smtps', 465],
  ['submission', 587],
  ['submissions', 465],
])

/** @throws {GatehouseError} `InvalidPort`; `UnreadableFile`, `UnusableTls` as {@link readTlsOptions}. */
async function serverOf(
  integration: EmailIntegration,
  { readFile }: NotifierPorts,
): Promise<SmtpServer> {
  const { smarthost, hello, force_implicit_tls, require_tls, tls_config } = integration
  const port = namedPorts.get(smarthost.port) ?? Number(smarthost.port)
  if (!(port >= 1 && port <= 65_535)) {
    throw new GatehouseError(
      'Invalid',
      'InvalidPort',
      `unknown port ${smarthost.port} of smarthost`,
    )
  }
  const isImplicit = force_implicit_tls ?? port === 465
  const security = isImplicit ? 'tls' : require_tls ? 'starttls' : 'none'
  const isTls = security !== 'none' && tls_config !== undefined
  const tls = isTls ? await readTlsOptions(tls_config, readFile) : {}
  return { host: smarthost.host, port, hello, security, tls }
}

async function loginOf(integration: EmailIntegration, ports: NotifierPorts): Promise<SmtpLogin> {
  const { auth_username, auth_identity, auth_password_file, auth_secret_file } = integration
  const password = auth_password_file === '' ? integration.auth_password : undefined
  const secret = auth_secret_file === '' ? integration.auth_secret : undefined
  return {
    username: auth_username,
    identity: auth_identity,
    password: await secretOf(ports, password, auth_password_file),
    secret: await secretOf(ports, secret, auth_secret_file),
  }
}

interface LoginAt {
  readonly server: SmtpServer
  readonly login: SmtpLogin
}

/** @throws {Error} if the login fails. */
async function logIn(session: SmtpSession, { server, login }: LoginAt): Promise<void> {
  const offered = offeredMechanisms(await session.greet())
  if (offered === undefined || login.username === '') return
  const mechanism = chooseMechanism(offered, login)
  if (mechanism === 'PLAIN' && !session.isSecure && !isThisMachine(server.host)) {
    throw new Error('PLAIN auth: unencrypted connection')
  }
  await session.logIn(mechanism, login)
}

/** Whether the error is a reply of the server: then it did not accept the email. */
const isReply = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

function refused(error: unknown, signal: AbortSignal, secrets: readonly string[]): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return {
    outcome: 'retry',
    reason: signal.aborted ? abortReason(signal) : 'other',
    detail: withoutSecrets(message, secrets).slice(0, 1_024),
  }
}
