import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { send } from '../http.ts'
import { type ComparableAnswer, comparable } from './comparable.ts'
import type { Difference } from './differences.ts'
import type { Exchange } from './exchange.ts'

/** One difference that is not documented. */
export interface Mismatch {
  readonly exchange: Exchange
  readonly expected: ComparableAnswer
  readonly actual: ComparableAnswer
}

/** The result of a side-by-side run. */
export interface Comparison {
  readonly mismatches: readonly Mismatch[]
  /** The number of responses that each documented difference explained, by its id. */
  readonly explained: ReadonlyMap<string, number>
}

/** One of the two servers: sends exchanges to it and remembers the silence ids it generated. */
class Side {
  readonly #port: number
  readonly #startedAt: number
  readonly #agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** For each id, the name of the exchange that first returned it. */
  readonly #names: Map<string, string> = new Map()
  /** For each exchange, the id that it returned. */
  readonly #ids: Map<string, string> = new Map()

  constructor(port: number, startedAt: number) {
    this.#port = port
    this.#startedAt = startedAt
  }

  async ask(exchange: Exchange): Promise<ComparableAnswer> {
    const { method, headers = {} } = exchange
    const body = exchange.body === undefined ? {} : { body: this.#render(exchange.body) }
    const path = this.#render(exchange.path)
    const answer = await send(this.#port, { method, path, headers, ...body }, this.#agent)
    const id = /"silenceID":"([^"]+)"/.exec(answer.body)?.[1]
    if (id !== undefined) {
      if (!this.#names.has(id)) this.#names.set(id, `<silence of "${exchange.name}">`)
      if (exchange.keepId !== undefined) this.#ids.set(exchange.keepId, id)
    }
    return comparable(answer, { startedAt: this.#startedAt, ids: this.#names })
  }

  close(): void {
    this.#agent.destroy()
  }

  #render(text: string): string {
    return text.replace(/\{(now[+-]\d+|id:[^}]+)\}/g, (_, token: string) => {
      if (token.startsWith('now')) return this.#instant(Number(token.slice(3)))
      // Without an id, the exchange that should have made it is reported already.
      return this.#ids.get(token.slice(3)) ?? '00000000-0000-4000-8000-000000000000'
    })
  }

  #instant(seconds: number): string {
    const wholeSecond = Math.floor(this.#startedAt / 1000) * 1000
    return new Date(wholeSecond + seconds * 1000).toISOString()
  }
}

/**
 * Sends every exchange first to the reference, then to the subject, and compares the responses. Documented differences replace
 * the reference's response by the subject's expected one. Exchanges that settle are repeated until they do, for 10 s in all.
 */
export async function compareSideBySide(
  reference: { port: number },
  subject: { port: number },
  exchanges: readonly Exchange[],
  differences: readonly Difference[],
): Promise<Comparison> {
  const startedAt = Date.now()
  const sides = [new Side(reference.port, startedAt), new Side(subject.port, startedAt)] as const
  const mismatches: Mismatch[] = []
  const explained = new Map(differences.map(({ id }) => [id, 0]))
  const patience = { leftMs: 10_000 }
  try {
    for (const exchange of exchanges) {
      const found = await compareOne(sides, exchange, differences, patience)
      for (const id of found.explainedBy) explained.set(id, (explained.get(id) ?? 0) + 1)
      if (!found.equal) mismatches.push({ exchange, ...found })
    }
  } finally {
    for (const side of sides) side.close()
  }
  return { mismatches, explained }
}

interface Found {
  readonly equal: boolean
  readonly expected: ComparableAnswer
  readonly actual: ComparableAnswer
  readonly explainedBy: readonly string[]
}

async function compareOne(
  [reference, subject]: readonly [Side, Side],
  exchange: Exchange,
  differences: readonly Difference[],
  patience: { leftMs: number },
): Promise<Found> {
  for (;;) {
    const asked = performance.now()
    let expected = await reference.ask(exchange)
    const explainedBy: string[] = []
    for (const difference of differences) {
      const translated = difference.translate(expected, exchange)
      if (translated === undefined) continue
      expected = translated
      explainedBy.push(difference.id)
    }
    const actual = await subject.ask(exchange)
    const equal = answersEqual(expected, actual)
    const waits = !equal && exchange.settles === true && patience.leftMs > 0
    if (!waits) return { equal, expected, actual, explainedBy }
    await new Promise((resolve) => setTimeout(resolve, 50))
    patience.leftMs -= performance.now() - asked
  }
}

function answersEqual(expected: ComparableAnswer, actual: ComparableAnswer): boolean {
  if (expected.body !== '<any>') return isDeepStrictEqual(expected, actual)
  return isDeepStrictEqual(
    { ...expected, body: '', newline: false },
    { ...actual, body: '', newline: false },
  )
}
