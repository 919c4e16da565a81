import { formatListenPlace, isLocal } from '../server/listen-address.ts'
import { type Answers, isReference, type SmtpAnswer } from './answers.ts'

/** A file of a new configuration. */
export interface NewFile {
  /** Relative to the folder. */
  readonly path: string
  readonly text: string
  /** Whether it holds a generated secret, which is kept if the file exists. */
  readonly isGenerated?: boolean
}

/**
 * The files of a configuration. No secret is in a file with settings: each has a file of its own, or is a reference.
 *
 * @param randomText makes a secret of 32 random bytes.
 */
export function configFiles(answers: Answers, randomText: () => string): readonly NewFile[] {
  const secrets = createSecretFiles(randomText)
  const { receiver, signIn } = answers
  return [
    { path: 'config.yaml', text: lines(serverConfig(answers, secrets)) },
    ...(receiver
      ? [{ path: 'alertmanager.yml', text: lines(alertsConfig(answers, secrets)) }]
      : []),
    ...(signIn ? [{ path: 'authgear.yaml', text: lines(signInConfig(answers)) }] : []),
    ...secrets.files,
  ]
}

/** The files with secrets. */
interface SecretFiles {
  readonly files: readonly NewFile[]
  /** Adds a file with this secret, and returns its path. */
  file(name: string, secret: string): string
  /** Adds a file with a new secret, and returns its path. */
  generated(path: string): string
  /** A reference to a secret, in YAML: the given one, or one to a file that is added. */
  reference(name: string, given: string): string
}

function createSecretFiles(randomText: () => string): SecretFiles {
  const files: NewFile[] = []
  const file = (name: string, secret: string): string => {
    const path = `secrets/${name}`
    if (files.every((one) => one.path !== path)) files.push({ path, text: `${secret}\n` })
    return path
  }
  return {
    files,
    file,
    generated(path) {
      files.push({ path, text: `${randomText()}\n`, isGenerated: true })
      return path
    },
    reference: (name, given) =>
      JSON.stringify(isReference(given) ? given : `\${file:${file(name, given)}}`),
  }
}

function serverConfig(answers: Answers, secrets: SecretFiles): readonly string[] {
  const { listen, smtp, webhook, receiver, signIn } = answers
  return [
    '# The configuration of `gatehouse api`. Paths are relative to this file.',
    `listen: ${JSON.stringify(formatListenPlace(listen))}`,
    ...(signIn?.publicOrigin !== undefined && isLocal(listen)
      ? [
          '# The proxy on this machine ends TLS; its X-Forwarded-Proto and X-Forwarded-For are trusted.',
          "trusted_proxies: [127.0.0.1, '::1']",
        ]
      : []),
    'storage:',
    `  ${storageLine(answers, secrets)}`,
    ...(receiver ? ['alerts:', '  config: alertmanager.yml'] : []),
    ...(webhook
      ? [
          'webhooks:',
          `  # POST /webhook/${webhook.id} runs the command for senders with the token.`,
          `  - id: ${JSON.stringify(webhook.id)}`,
          `    token: \${file:${secrets.generated(`secrets/${webhook.id}-token`)}}`,
          `    execute_command: ${JSON.stringify(webhook.command)}`,
          '    workdir: .',
          '    include_output: always',
        ]
      : []),
    ...(signIn
      ? [
          'auth:',
          '  config: authgear.yaml',
          `  key_file: ${secrets.generated('auth.key')}`,
          '  account: { base_path: /api/v1/account }',
          ...(smtp ? smtpSection(smtp, secrets) : []),
          ...(signIn.publicOrigin === undefined
            ? [
                '  # For development: codes are logged, and requests need no TLS.',
                '  dev: { print_codes: true }',
              ]
            : []),
        ]
      : []),
  ]
}

function storageLine({ storage }: Answers, secrets: SecretFiles): string {
  if (storage.kind === 'memory') return 'memory: true'
  if (storage.kind === 'sqlite') return `sqlite: ${JSON.stringify(storage.file)}`
  if (isReference(storage.url)) return `postgres: ${JSON.stringify(storage.url)}`
  return `postgres_file: ${secrets.file('postgres-url', storage.url)}`
}

function smtpSection(
  { host, port, from, login }: SmtpAnswer,
  secrets: SecretFiles,
): readonly string[] {
  return [
    '  smtp:',
    `    host: ${JSON.stringify(host)}`,
    `    port: ${port}`,
    `    from: ${JSON.stringify(from)}`,
    ...(login
      ? [
          `    username: ${JSON.stringify(login.username)}`,
          `    password: ${secrets.reference('smtp-password', login.password)}`,
        ]
      : []),
  ]
}

function alertsConfig({ receiver, smtp }: Answers, secrets: SecretFiles): readonly string[] {
  return [
    '# An alertmanager.yml, as Alertmanager reads it.',
    ...(receiver?.kind === 'email' && smtp ? smtpGlobals(smtp, secrets) : []),
    'route:',
    '  receiver: everyone',
    '  group_by: [alertname]',
    'receivers:',
    '  - name: everyone',
    ...integration(receiver, secrets),
  ]
}

function smtpGlobals(
  { host, port, from, login }: SmtpAnswer,
  secrets: SecretFiles,
): readonly string[] {
  return [
    'global:',
    `  smtp_smarthost: ${JSON.stringify(`${host}:${port}`)}`,
    `  smtp_from: ${JSON.stringify(from)}`,
    ...(login
      ? [
          `  smtp_auth_username: ${JSON.stringify(login.username)}`,
          `  smtp_auth_password: ${secrets.reference('smtp-password', login.password)}`,
        ]
      : []),
  ]
}

function integration(receiver: Answers['receiver'], secrets: SecretFiles): readonly string[] {
  if (receiver === undefined || receiver.kind === 'none') return []
  if (receiver.kind === 'email') {
    return ['    email_configs:', `      - to: ${JSON.stringify(receiver.to)}`]
  }
  const { kind, url } = receiver
  const key = kind === 'slack' ? 'api_url' : 'url'
  return [`    ${kind}_configs:`, `      - ${key}: ${secrets.reference(`${kind}-url`, url)}`]
}

function signInConfig({ signIn }: Answers): readonly string[] {
  const { publicOrigin, loginId } = signIn ?? {}
  const http = ['http:', `  public_origin: ${publicOrigin}`]
  return [
    '# An authgear.yaml: who may sign in, and how.',
    'id: app',
    ...(publicOrigin === undefined ? [] : http),
    'authentication:',
    '  # No answer to a login reveals who has an account, nor to a sign-up by an address.',
    '  enumeration_protection: strict',
    '  identities: [login_id]',
    '  primary_authenticators: [password]',
    'identity:',
    '  login_id:',
    `    keys: [{ type: ${loginId} }]`,
  ]
}

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
