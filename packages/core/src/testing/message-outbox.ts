import type { OutgoingMessage, Sender, Senders } from '../auth/kinds/oob-otp/senders.ts'

/** Collects the messages of a test instead of sending them. */
export interface MessageOutbox {
  /** Pass these as the option `senders` of `createAuth()`. */
  readonly senders: Readonly<Record<keyof Senders, Sender>>
  /** The sent messages, in order. */
  readonly messages: readonly OutgoingMessage[]
  /**
   * The code, or the code in the link, of the newest message to an address.
   *
   * @throws {Error} if no message with a code was sent there.
   */
  codeTo(target: string): string
  /** Fails the next messages with these errors, one after the other. */
  failNext(...errors: readonly Error[]): void
  /** Removes all messages and the remaining failures. */
  clear(): void
}

/** The outboxes, by their sender. */
const outboxes = new WeakMap<Sender, MessageOutbox>()

/** The outbox that a service sends its messages to; `undefined` if it sends them elsewhere. */
export function outboxOf({ sendEmail, sendSms, sendWhatsapp }: Senders): MessageOutbox | undefined {
  const senders = [sendEmail, sendSms, sendWhatsapp]
  return senders.map((sender) => sender && outboxes.get(sender)).find((found) => found)
}

/** Creates an empty outbox that accepts every message. */
export function createMessageOutbox(): MessageOutbox {
  const messages: OutgoingMessage[] = []
  const failures: Error[] = []
  const send = async (message: OutgoingMessage): Promise<void> => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    messages.push(message)
  }
  const outbox: MessageOutbox = {
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
  outboxes.set(send, outbox)
  return outbox
}
