import { type AuthEvent, createEventWebhook, type EventWebhookOptions } from '@gatehouse/core/auth'

/** The most events with partial deliveries that are remembered. */
const maxRemembered = 1_000

/** Sends events to several webhooks. A retry of an event goes only to those that have not accepted it. */
export function sendToAll(
  targets: readonly EventWebhookOptions[],
): (event: AuthEvent) => Promise<void> {
  const sends = targets.map((target) => createEventWebhook(target))
  const acceptedBy = new Map<string, ReadonlySet<number>>()
  return async (event) => {
    const before = acceptedBy.get(event.id) ?? new Set<number>()
    acceptedBy.delete(event.id)
    const outcomes = await Promise.allSettled(
      sends.map((send, index) => (before.has(index) ? undefined : send(event))),
    )
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ index, reason: reasonOf(outcome.reason) }] : [],
    )
    if (failures.length === 0) return
    const failed = failures.map(({ index }) => index)
    acceptedBy.set(event.id, new Set([...sends.keys()].filter((index) => !failed.includes(index))))
    const [oldest] = acceptedBy.keys()
    if (acceptedBy.size > maxRemembered && oldest !== undefined) acceptedBy.delete(oldest)
    throw new Error(failures.map(({ index, reason }) => `events[${index}]: ${reason}`).join('; '))
  }
}

/** The reason without the URL, which may hold a secret. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return 'it failed'
  const { message, cause } = failure
  const code = cause instanceof Error ? codeOf(cause) : undefined
  return code === undefined ? message : `${message} (${code})`
}

/** The code in the cause of a `fetch` error. */
function codeOf({ cause }: Error): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}
