import type { OutgoingMessage, Senders } from '../auth/ports.ts'

/** Takes the messages of a test instead of sending them. */
export interface MessageOutbox {
  /** For the option `senders` of `createAuth()`. */
  readonly senders: Required<Senders>
  /** What was sent, in its order. */
  readonly messages: readonly OutgoingMessage[]
  /**
   * The code, or the code in the link, of the newest message to an address.
   *
   * @throws {Error} if nothing with a code was sent there.
   */
  codeTo(target: string): string
  /** Lets the next messages fail with these errors, one after the other. */
  failNext(...errors: readonly Error[]): void
  /** Forgets messages, and failures that are left. */
  clear(): void
}

/** An empty outbox that sends everything. */
export function createMessageOutbox(): MessageOutbox {
  const messages: OutgoingMessage[] = []
  const failures: Error[] = []
  const send = async (message: OutgoingMessage): Promise<void> => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    messages.push(message)
  }
  return {
    senders: { sendEmail: send, sendSms: send, sendWhatsapp: send },
    messages,

    codeTo(target) {
      const { code, link } = messages.findLast((message) => message.target === target) ?? {}
      const found = code ?? (link && new URL(link).searchParams.get('code'))
      if (found) return found
      throw new Error(`no code was sent to ${target}`)
    },

    failNext(...errors) {
      failures.push(...errors)
    },

    clear() {
      for (const list of [messages, failures]) list.length = 0
    },
  }
}
