import {
  type Answers,
  listenIn,
  mailAddressIn,
  oneOfWords,
  originIn,
  type ReceiverAnswer,
  receiverKinds,
  type SmtpAnswer,
  servicesIn,
  smtpHostIn,
  storageIn,
  urlIn,
  webhookIdIn,
} from './answers.ts'
import type { Asker, Question } from './ask.ts'

/** Flags that answer questions. */
export interface AnswerFlags {
  readonly services?: string
  readonly listen?: string
  readonly storage?: string
  readonly receiver?: string
  readonly receiverUrl?: string
  readonly emailTo?: string
  readonly smtp?: string
  readonly smtpFrom?: string
  readonly smtpUsername?: string
  readonly smtpPassword?: string
  readonly webhookId?: string
  readonly webhookCommand?: string
  readonly publicOrigin?: string
}

/** The flags, with the description of each. */
export const answerFlags: readonly (readonly [flags: string, description: string])[] = [
  [
    '--services <names>',
    'what to serve: alerts, webhooks and sign-in, with commas between (default: alerts, webhooks)',
  ],
  [
    '--listen <address>',
    'where to listen, as 127.0.0.1:9093, or :9093 for every address (default: this machine only)',
  ],
  ['--storage <place>', 'an SQLite file, a postgres:// URL, or memory (default: gatehouse.db)'],
  ['--receiver <kind>', 'where alerts are sent: none, webhook, slack or email (default: none)'],
  ['--receiver-url <url>', 'the URL for the receiver webhook or slack'],
  ['--email-to <address>', 'the address for the receiver email'],
  ['--smtp <host:port>', 'the mail server, of the receiver email or of the sign-in'],
  ['--smtp-from <address>', 'the sender of mails'],
  ['--smtp-username <name>', 'the user of the mail server'],
  ['--smtp-password <text>', 'its password, or better a reference to a variable'],
  ['--webhook-id <id>', 'the id of the first webhook (default: hello)'],
  ['--webhook-command <command>', 'the command that the first webhook runs (default: echo Hello)'],
  ['--public-origin <url>', 'where browsers reach the sign-in; empty for development'],
]

const asText = (text: string): string => text

/** Asks a question that a flag may have answered. */
type AskQuestion = <T>(
  key: keyof AnswerFlags,
  text: string,
  parse: (text: string) => T,
  more?: Pick<Question<T>, 'fallback' | 'isSecret'>,
) => Promise<T>

/** Asks what the flags leave open. */
export async function collectAnswers(flags: AnswerFlags, asker: Asker): Promise<Answers> {
  const question: AskQuestion = async (key, text, parse, more = {}) =>
    asker.ask({ flag: flagOf(key), text, given: flags[key], parse, ...more })

  const services = await question('services', 'Services (alerts, webhooks, sign-in)', servicesIn, {
    fallback: 'alerts, webhooks',
  })
  const servesAlerts = services.includes('alerts')
  const listen = await question('listen', 'Address, or :PORT for every address', listenIn, {
    fallback: servesAlerts ? '127.0.0.1:9093' : '127.0.0.1:8081',
  })
  const storage = await question('storage', 'Storage (a file, postgres://…, memory)', storageIn, {
    fallback: 'gatehouse.db',
  })
  const receiver = servesAlerts ? await askReceiver(question) : undefined
  const signIn = services.includes('sign-in') ? await askSignIn(question) : undefined
  const needsMail = receiver?.kind === 'email'
  const smtp = needsMail || signIn !== undefined ? await askSmtp(question, needsMail) : undefined
  const webhook = services.includes('webhooks') ? await askWebhook(question) : undefined
  return {
    listen,
    storage,
    ...(receiver && { receiver }),
    ...(smtp && { smtp }),
    ...(webhook && { webhook }),
    ...(signIn && { signIn: { ...signIn, loginId: loginIdFor(signIn, smtp) } }),
  }
}

async function askReceiver(question: AskQuestion): Promise<ReceiverAnswer> {
  const kind = await question(
    'receiver',
    'Receiver of alerts (none, webhook, slack, email)',
    (text) => oneOfWords(text, receiverKinds),
    { fallback: 'none' },
  )
  if (kind === 'none') return { kind }
  if (kind === 'email') return { kind, to: await question('emailTo', 'Mail to', mailAddressIn) }
  const isSecret = true
  return {
    kind,
    url: await question(
      'receiverUrl',
      `URL of the ${kind === 'slack' ? 'Slack webhook' : 'webhook'}`,
      urlIn,
      { isSecret },
    ),
  }
}

async function askSignIn(question: AskQuestion): Promise<{ readonly publicOrigin?: string }> {
  const text = 'Public origin of the sign-in, such as https://auth.example.com (empty: development)'
  const origin = await question('publicOrigin', text, (one) => (one === '' ? '' : originIn(one)), {
    fallback: '',
  })
  return origin === '' ? {} : { publicOrigin: origin }
}

async function askSmtp(question: AskQuestion, isNeeded: boolean): Promise<SmtpAnswer | undefined> {
  const server = isNeeded
    ? await question('smtp', 'Mail server, as smtp.example.com:587', smtpHostIn)
    : await question(
        'smtp',
        'Mail server for codes, as smtp.example.com:587 (empty: none)',
        (text) => (text === '' ? undefined : smtpHostIn(text)),
        { fallback: '' },
      )
  if (server === undefined) return undefined
  const from = await question('smtpFrom', 'Sender of mails', mailAddressIn)
  const username = await question('smtpUsername', 'User of the mail server (empty: none)', asText, {
    fallback: '',
  })
  if (username === '') return { ...server, from }
  const isSecret = true
  const password = await question('smtpPassword', 'Its password', asText, { isSecret })
  return { ...server, from, login: { username, password } }
}

async function askWebhook(
  question: AskQuestion,
): Promise<{ readonly id: string; readonly command: string }> {
  const id = await question('webhookId', 'Id of the first webhook', webhookIdIn, {
    fallback: 'hello',
  })
  const command = await question('webhookCommand', 'Command that it runs', asText, {
    fallback: 'echo Hello',
  })
  return { id, command }
}

/** Addresses need mails with codes, which development only logs. */
const loginIdFor = (
  { publicOrigin }: { readonly publicOrigin?: string },
  smtp: SmtpAnswer | undefined,
): 'email' | 'username' => (publicOrigin === undefined || smtp !== undefined ? 'email' : 'username')

const flagOf = (key: string): string =>
  `--${key.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`
