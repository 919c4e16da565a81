import { parseUrl } from '@gatehouse/core/adapter'
import { type ListenAddress, parseListenAddress } from '../server/listen-address.ts'
import { isPostgresUrl } from '../storage.ts'

/** The services that a file of `gatehouse api` can configure. */
const serviceNames = ['alerts', 'webhooks', 'sign-in'] as const
/** The name of a service in questions. */
export type ServiceName = (typeof serviceNames)[number]

/** The kinds of receivers that can be chosen. */
export const receiverKinds = ['none', 'webhook', 'slack', 'email'] as const

/** Where notifications go. */
export type ReceiverAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'webhook' | 'slack'; readonly url: string }
  | { readonly kind: 'email'; readonly to: string }

/** A mail server. */
export interface SmtpAnswer {
  readonly host: string
  readonly port: number
  readonly from: string
  /** Absent: it asks for no password. */
  readonly login?: { readonly username: string; readonly password: string }
}

/** The choices for a new configuration. Secrets are texts, or references such as `${env:SLACK_URL}`. */
export interface Answers {
  readonly listen: ListenAddress
  readonly storage:
    | { readonly kind: 'memory' }
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: string }
  /** Absent: no alerts. */
  readonly receiver?: ReceiverAnswer
  readonly smtp?: SmtpAnswer
  /** The first webhook. Absent: no webhooks. */
  readonly webhook?: { readonly id: string; readonly command: string }
  /** Absent: no sign-in. */
  readonly signIn?: {
    /** Absent: on a developer's machine. */
    readonly publicOrigin?: string
    readonly loginId: 'email' | 'username'
  }
}

/** Whether a text is one of the references that configurations resolve, such as `${env:NAME}`. */
export const isReference = (text: string): boolean => /^\$\{(?:env|file|cred):[^{}]+\}$/.test(text)

/** Services by their names, such as `alerts, webhooks`. @throws {Error} for another text. */
export function servicesIn(text: string): readonly ServiceName[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const found = serviceNames.filter((name) => names.includes(name))
  if (found.length > 0 && names.every((name) => serviceNames.some((one) => one === name))) {
    return found
  }
  throw new Error(`expected one or more of ${serviceNames.join(', ')}`)
}

/** @throws {Error} if the text is not one of the words. */
export function oneOfWords<T extends string>(text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new Error(`expected one of ${words.join(', ')}`)
}

/** An address such as `127.0.0.1:9093`; a port alone is one of this machine. @throws {Error} for another text. */
export const listenIn = (text: string): ListenAddress =>
  parseListenAddress(/^\d+$/.test(text) ? `127.0.0.1:${text}` : text)

/** `memory`, the URL of a PostgreSQL database or a reference to it, or the path of a file. @throws {Error} for another text. */
export function storageIn(text: string): Answers['storage'] {
  if (text === 'memory') return { kind: 'memory' }
  if (isReference(text) || isPostgresUrl(text)) return { kind: 'postgres', url: text }
  if (text.includes('://')) throw new Error('expected a file, a postgres:// URL, or memory')
  return { kind: 'sqlite', file: text }
}

/** An `http` or `https` URL, or a reference to one. @throws {Error} for another text. */
export function urlIn(text: string): string {
  if (isReference(text) || (/^https?:\/\//i.test(text) && parseUrl(text))) return text
  throw new Error('expected a URL such as https://hooks.example.com/abc')
}

/** The origin of a web page, such as `https://auth.example.com`. @throws {Error} for another text. */
export function originIn(text: string): string {
  const url = parseUrl(text)
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '') return url.origin
  throw new Error('expected an origin such as https://auth.example.com')
}

/** The host and the port of a mail server. @throws {Error} for another text. */
export function smtpHostIn(text: string): { readonly host: string; readonly port: number } {
  const [, host, port = '587'] = /^([a-z0-9.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error('expected a server such as smtp.example.com:587')
  }
  return { host, port: Number(port) }
}

/** The id of a webhook, which is part of a path and of a file name. @throws {Error} for another text. */
export function webhookIdIn(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/i.test(text)) return text
  throw new Error('expected letters, digits, dashes and underscores')
}

/** @throws {Error} for a text without an @ sign. */
export function mailAddressIn(text: string): string {
  if (/^\S+@\S+$/.test(text) || /<\S+@\S+>$/.test(text)) return text
  throw new Error('expected an address such as team@example.com')
}
