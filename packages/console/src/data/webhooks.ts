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
  if (token === '') sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, token)
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

/** The requests that started runs from this tab, because the server keeps no values. */
const sent = new Map<string, RunValues>()
const maxSent = 50

/** Remembers what started a run, to run it again. */
export function rememberRun(runId: string, values: RunValues): void {
  sent.set(runId, values)
  for (const oldest of sent.keys()) {
    if (sent.size <= maxSent) return
    sent.delete(oldest)
  }
}

export const valuesOfRun = (runId: string): RunValues | undefined => sent.get(runId)
