import {
  type AlertsClient,
  createAlertsClient,
  createWebhooksClient,
  isClientError,
  type WebhooksClient,
} from '@gatehouse/client'
import { type Command, InvalidArgumentError } from 'commander'
import { readTextFile } from '../config/config-file.ts'

/** Flags of commands that ask a running server. */
export interface ServerFlags {
  readonly url: string
  readonly tokenFile?: string
}

/** Adds the {@link ServerFlags}. */
export const addServerFlags = (command: Command, what = 'the running server'): Command =>
  command
    .option(
      '--url <url>',
      `where ${what} answers, with its prefix; may have a user and a password`,
      urlFlag,
      'http://127.0.0.1:9093',
    )
    .option('--token-file <file>', 'a file with a bearer token for it')

function urlFlag(text: string): string {
  try {
    if (/^https?:$/.test(new URL(text).protocol)) return text
  } catch {
    // What follows says so.
  }
  throw new InvalidArgumentError('expected a URL such as http://127.0.0.1:9093')
}

/** Where a server is, and the headers of its clients. */
export interface NamedServer {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** The server that the flags name. */
export async function namedServer({ url: text, tokenFile }: ServerFlags): Promise<NamedServer> {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const token = tokenFile === undefined ? undefined : (await readTextFile(tokenFile)).text.trim()
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : username !== '' && `Basic ${Buffer.from(pair).toString('base64')}`
  return { url, headers: authorization ? { authorization } : {} }
}

/**
 * Asks the server that the flags name.
 *
 * @throws {Error} which names the server, if that does not answer or refuses.
 */
export const askServer = <T>(
  flags: ServerFlags,
  ask: (server: AlertsClient) => Promise<T>,
): Promise<T> => askedOf(flags, createAlertsClient, ask)

/** Like {@link askServer}, for its webhooks and their runs. */
export const askWebhooks = <T>(
  flags: ServerFlags,
  ask: (server: WebhooksClient) => Promise<T>,
): Promise<T> => askedOf(flags, createWebhooksClient, ask)

async function askedOf<Client, T>(
  flags: ServerFlags,
  clientOf: (server: NamedServer) => Client,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const server = await namedServer(flags)
  try {
    return await ask(clientOf(server))
  } catch (error) {
    if (!isClientError(error)) throw error
    const hint = error.status === 0 ? '; is the server running? --url names another one' : ''
    throw new Error(`${server.url.origin}: ${error.message}${hint}`, { cause: error })
  }
}
