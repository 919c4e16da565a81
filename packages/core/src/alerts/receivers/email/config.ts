import { block, flag, optional, text, textMap } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import type { TlsConfig } from '../../../http-client/http-config.ts'
import { type HostPort, hostPort } from '../../fields/host-port.ts'
import { canonicalHeader } from '../../fields/http-config.ts'
import { secret } from '../../fields/secrets.ts'
import { tlsConfig } from '../../fields/tls-config.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
  type Written,
} from '../define-integration.ts'
import type { AlertmanagerEmailConfig } from './written.ts'

/** Whether the emails of an alert group form a thread, and whether a new one starts every day. */
export interface EmailThreading {
  readonly enabled: boolean
  /** `none` or `daily` if they are enabled, otherwise any text. */
  readonly thread_by_date: string
}

/** Sends emails. `http_config` has no effect here. @see Alertmanager configuration, `<email_config>` */
export type EmailIntegration = Configured<
  'email',
  AlertmanagerEmailConfig,
  {
    readonly smarthost: HostPort
    readonly auth_password?: Secret
    readonly auth_secret?: Secret
    /** By canonical name. */
    readonly headers: ReadonlyMap<string, string>
    readonly tls_config?: TlsConfig
    /** Absent: only for port 465. */
    readonly force_implicit_tls?: boolean
    readonly threading: EmailThreading
  }
>

type WrittenEmail = Omit<Written<EmailIntegration, 'smarthost' | 'require_tls'>, 'http_config'>

const threading = block<EmailThreading>({
  typeName: 'config.ThreadingConfig',
  fields: {
    enabled: { kind: flag },
    thread_by_date: { kind: text },
  },
})

const noThreading: EmailThreading = { enabled: false, thread_by_date: '' }

/** The headers that make a thread. */
export const threadHeaders = ['References', 'In-Reply-To'] as const

/** `email_configs` */
export const emailConfig: IntegrationDefinition<EmailIntegration> = defineIntegration<
  EmailIntegration,
  WrittenEmail
>({
  type: 'email',
  order: { run: 2, check: 2, print: 2 },
  typeName: 'config.plain',
  listTypeName: '[]*config.EmailConfig',
  fields: {
    send_resolved: commonFields(false).send_resolved,
    to: { kind: text },
    from: { kind: text },
    hello: { kind: text },
    smarthost: { kind: hostPort },
    auth_username: { kind: text },
    auth_password: { kind: secret },
    auth_password_file: { kind: text },
    auth_secret: { kind: secret },
    auth_secret_file: { kind: text },
    auth_identity: { kind: text },
    headers: { kind: textMap },
    html: { kind: text, default: '{{ template "email.default.html" . }}' },
    text: { kind: text },
    require_tls: { kind: optional(flag) },
    tls_config: { kind: tlsConfig },
    force_implicit_tls: { kind: optional(flag) },
    threading: { kind: threading, default: noThreading },
  },
  check(written, report) {
    if (written.to === '') report('missing to address in email config')
    const names = new Set<string>()
    for (const name of written.headers.keys()) {
      const canonical = canonicalHeader(name)
      if (names.has(canonical)) report(`duplicate header "${canonical}" in email config`, 'headers')
      names.add(canonical)
    }
    if (!written.threading.enabled) return
    for (const name of threadHeaders.filter((header) => names.has(header))) {
      const conflict = `threading.enabled conflicts with custom ${name} header`
      report(`conflicting configuration: ${conflict}`, 'headers')
    }
    if (!['none', 'daily'].includes(written.threading.thread_by_date)) {
      report("threading.thread_by_date must be either 'none' or 'daily'", 'threading')
    }
  },
  complete(written) {
    const headers = [...written.headers].map(([name, value]): [string, string] => [
      canonicalHeader(name),
      value,
    ])
    return { ...written, headers: new Map(headers) }
  },
  inherit(written, global, report) {
    const smarthost = written.smarthost ?? global.smtp_smarthost
    if (smarthost === undefined) report('no global SMTP smarthost set')
    const from = written.from || global.smtp_from
    if (from === '') report('no global SMTP from set')
    const hasPassword = written.auth_password !== undefined || written.auth_password_file !== ''
    const hasSecret = written.auth_secret !== undefined || written.auth_secret_file !== ''
    const password = hasPassword ? written.auth_password : global.smtp_auth_password
    const secretValue = hasSecret ? written.auth_secret : global.smtp_auth_secret
    const tls = written.tls_config ?? global.smtp_tls_config
    const implicit = written.force_implicit_tls ?? global.smtp_force_implicit_tls
    return {
      ...written,
      smarthost: smarthost ?? { host: '', port: '' },
      from,
      hello: written.hello || global.smtp_hello,
      auth_username: written.auth_username || global.smtp_auth_username,
      ...(password === undefined ? {} : { auth_password: password }),
      auth_password_file: hasPassword ? written.auth_password_file : global.smtp_auth_password_file,
      ...(secretValue === undefined ? {} : { auth_secret: secretValue }),
      auth_secret_file: hasSecret ? written.auth_secret_file : global.smtp_auth_secret_file,
      auth_identity: written.auth_identity || global.smtp_auth_identity,
      require_tls: written.require_tls ?? global.smtp_require_tls,
      ...(tls === undefined ? {} : { tls_config: tls }),
      ...(implicit === undefined ? {} : { force_implicit_tls: implicit }),
    }
  },
})
