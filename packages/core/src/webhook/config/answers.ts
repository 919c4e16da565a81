import { quoteKey } from '../../document/problem.ts'
import {
  choice,
  isMapping,
  keyOf,
  mapping,
  oneOf,
  parsed,
  required,
  type Schema,
  text,
  unknownWord,
  wrongType,
} from '../../document/schema.ts'
import type { Webhook } from '../webhook.ts'

const outputWords = ['never', 'on_error', 'always'] as const

/** Whether answers include the output. */
export const includeOutput: Schema<Webhook['include_output']> = parsed(
  { enum: [...outputWords, true, false] },
  (given, report) => {
    if (typeof given === 'boolean') return given ? 'always' : 'never'
    if (typeof given !== 'string') return report('wrong_type', wrongType(given, 'text'))
    const word = outputWords.find((one) => one === given)
    return word ?? report('out_of_range', unknownWord(given, outputWords))
  },
)

const responseWord: Schema<Webhook['response']> = oneOf('json', 'text')
const responseText: Schema<Webhook['response']> = mapping(
  { text: required(text, 'The whole body of the answer.') },
  { title: 'WebhookFixedResponse' },
)

/** What the body of an answer is. */
export const response: Schema<Webhook['response']> = choice(
  [responseWord, responseText],
  (given) => (isMapping(given) ? responseText : responseWord),
)

/** An exit code as a key. */
export const exitCode: Schema<number> = keyOf((key, report) => {
  if (/^(?:0|[1-9]\d{0,2})$/.test(key) && Number(key) <= 255) return Number(key)
  return report('out_of_range', `${quoteKey(key)} must be an exit code from 0 to 255`)
})
