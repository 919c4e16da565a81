import type { Instant } from '../../time/clock.ts'
import { webhookError } from '../errors.ts'
import type { ConfiguredAnswer, Template, Webhook } from '../webhook.ts'
import type { Delivery } from './delivery.ts'
import { isSatisfied, type Judged } from './rule.ts'
import { readSource } from './source.ts'
import { fillTemplate, maxPlaced } from './template.ts'

/** An answer of the configuration with the values of a request in it. */
export interface FilledAnswer {
  readonly text: string
  /** By lower-case name; the type of the text is among them. */
  readonly headers: Readonly<Record<string, string>>
}

/** @throws {GatehouseError} `argument_rejected` if a value is too long. */
export function fillAnswer(
  { text, type, headers }: ConfiguredAnswer,
  delivery: Delivery,
  now: Instant,
): FilledAnswer {
  const fill = (template: Template): string =>
    fillTemplate(template, ({ from, source }) => {
      const value = readSource(from, delivery, now)
      if (value === undefined || Buffer.byteLength(value) <= maxPlaced) return value
      const message = `the answer (${source}) has more than ${maxPlaced} bytes`
      throw webhookError('argument_rejected', message, { source })
    })
  const filled = Array.from(headers, ([name, template]) => [name, fill(template)] as const)
  return { text: fill(text), headers: { 'content-type': type, ...Object.fromEntries(filled) } }
}

/** The answer to a delivery that needs no run, and its status; `undefined` if a run is needed. */
export function findAnswer(
  { answers }: Pick<Webhook, 'answers'>,
  delivery: Delivery,
  { now, judged }: { readonly now: Instant; readonly judged: Judged },
): (FilledAnswer & { readonly status: number }) | undefined {
  const found = answers.find(({ when }) => isSatisfied(when, judged))
  return found && { ...fillAnswer(found, delivery, now), status: found.status }
}
