import { type AuthEvent, createEventWebhook, type EventWebhookOptions } from '@gatehouse/core/auth'

/** How many events are remembered that some have taken and others not. */
const mostRemembered = 1_000

/** Tells several programs of events. One that a program refused is told to it again, and not to those that took it. */
export function tellAll(
  targets: readonly EventWebhookOptions[],
): (event: AuthEvent) => Promise<void> {
  const sends = targets.map((target) => createEventWebhook(target))
  const takenBy = new Map<string, ReadonlySet<number>>()
  return async (event) => {
    const before = takenBy.get(event.id) ?? new Set<number>()
    takenBy.delete(event.id)
    const outcomes = await Promise.allSettled(
      sends.map((send, index) => (before.has(index) ? undefined : send(event))),
    )
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ index, reason: reasonOf(outcome.reason) }] : [],
    )
    if (failures.length === 0) return
    const failed = failures.map(({ index }) => index)
    takenBy.set(event.id, new Set([...sends.keys()].filter((index) => !failed.includes(index))))
    const [oldest] = takenBy.keys()
    if (takenBy.size > mostRemembered && oldest !== undefined) takenBy.delete(oldest)
    throw new Error(failures.map(({ index, reason }) => `events[${index}]: ${reason}`).join('; '))
  }
}

/** Without the URL, which may hold a secret. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return 'it failed'
  const { message, cause } = failure
  const code = cause instanceof Error ? codeOf(cause) : undefined
  return code === undefined ? message : `${message} (${code})`
}

/** `fetch` says what happened in the cause of its error. */
function codeOf({ cause }: Error): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}
