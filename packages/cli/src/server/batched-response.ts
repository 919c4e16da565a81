import { type IncomingMessage, ServerResponse } from 'node:http'
import { createTurnBatch } from './turn-batch.ts'

type EndArguments = readonly unknown[]

/** Whether Node.js takes it for the last piece of an answer, or for none. */
const isSendable = (piece: unknown): boolean =>
  piece === undefined || typeof piece === 'string' || piece instanceof Uint8Array

/**
 * An answer that is sent with the others of its turn, as {@link createTurnBatch} does: to wake a client that waits on the same
 * machine costs the server more than to write an answer, and one that is awake takes the others by itself.
 */
export class BatchedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  #end: EndArguments | undefined = undefined

  override end(...given: EndArguments): this {
    this.#sendEnd()
    // Whoever ends it is told at once what is wrong with that: nobody would hear of it at the end of the turn.
    if (this.writableEnded || !this.headersSent || !isSendable(given[0])) {
      Reflect.apply(super.end, this, given)
      return this
    }
    this.#end = given
    answers.add(this)
    return this
  }

  /** What was said before it is destroyed is sent. */
  override destroy(error?: Error): this {
    this.#sendEnd()
    return super.destroy(error)
  }

  /** Ends an answer that waits. */
  static send(waiting: readonly BatchedResponse[]): void {
    for (const answer of waiting) answer.#sendEnd()
  }

  #sendEnd(): void {
    const given = this.#end
    if (given === undefined) return
    this.#end = undefined
    Reflect.apply(super.end, this, given)
  }
}

const answers = createTurnBatch<BatchedResponse>(BatchedResponse.send)
