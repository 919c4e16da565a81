import { createWebhooksClient, type WebhooksClient } from '@gatehouse/client'
import { useSyncExternalStore } from 'react'
import type { RunValues } from '../runs/run-fields.ts'
import { services, urlOf } from './services.ts'

const key = 'gatehouse-webhook-token'
const listeners = new Set<() => void>()

const tokenNow = (): string => sessionStorage.getItem(key) ?? ''

/** The token for the webhooks, for a server that does not identify senders. The tab keeps it until it is closed. */
export const useWebhookToken = (): string =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, tokenNow)

export function setWebhookToken(token: string): void {
  if (token === '') {
    sessionStorage.removeItem(key)
    // They may be secret, too.
    sessionStorage.removeItem(valuesKey)
  } else sessionStorage.setItem(key, token)
  for (const listener of listeners) listener()
}

/** A header of its own, because `Authorization` may hold the password of the server. */
export const tokenHeaders = (token: string): Readonly<Record<string, string>> =>
  token === '' ? {} : { 'x-webhook-token': token }

/** Where the webhooks are, without a slash at the end. */
export const webhooksUrl: string = location.origin + urlOf(services.webhooks ?? './')

export const hooks: WebhooksClient = createWebhooksClient({
  url: webhooksUrl,
  headers: () => tokenHeaders(tokenNow()),
})

/** The values that started runs from this tab, because the server keeps none: the id of each run, and its values. */
const valuesKey = 'gatehouse-run-values'
const maxSent = 50
/** The room that a browser gives a page is a few million characters. */
const maxCharacters = 500_000

/** Remembers what started a run, to run it again. It is kept as long as the token: until the tab is closed. */
export function rememberRun(runId: string, values: RunValues): void {
  const all = [...sentValues(), [runId, values] as const].slice(-maxSent)
  while (all.length > 0 && JSON.stringify(all).length > maxCharacters) all.shift()
  try {
    sessionStorage.setItem(valuesKey, JSON.stringify(all))
  } catch {
    // The browser has no room. The form is empty then.
  }
}

export const valuesOfRun = (runId: string): RunValues | undefined =>
  sentValues().find(([id]) => id === runId)?.[1]

/** Only this page writes them. */
const sentValues = (): readonly (readonly [runId: string, values: RunValues])[] =>
  JSON.parse(sessionStorage.getItem(valuesKey) ?? '[]')
