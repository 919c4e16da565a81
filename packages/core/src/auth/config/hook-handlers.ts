import type { LoadedAuthConfig } from './config.ts'

type HookConfig = LoadedAuthConfig['hook']

/** Whether requests can be sent to a handler. Others are code that Authgear runs. */
export const isWebhookUrl = (url: string): boolean => /^https?:/.test(url)

/** The URLs to ask before an event, in their order. */
export const blockingUrls = ({ blocking_handlers }: HookConfig, type: string): readonly string[] =>
  blocking_handlers.flatMap(({ event, url }) => (event === type && isWebhookUrl(url) ? [url] : []))

/** The URLs that receive an event. */
export const eventUrls = ({ non_blocking_handlers }: HookConfig, type: string): readonly string[] =>
  non_blocking_handlers.flatMap(({ events, url }) =>
    isWebhookUrl(url) && (events.includes('*') || events.includes(type)) ? [url] : [],
  )

/** Whether there are webhooks to ask, or to send events to. */
export const hasWebhooks = ({ blocking_handlers, non_blocking_handlers }: HookConfig): boolean =>
  [...blocking_handlers, ...non_blocking_handlers].some(({ url }) => isWebhookUrl(url))
