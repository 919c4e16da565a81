// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations have such texts.
import type { Outside } from '../../document/outside-text.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  built,
  choice,
  type Fields,
  integer,
  isMapping,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  parsed,
  type Report,
  required,
  type Schema,
  text,
  textLike,
  unknownWord,
  withDefault,
  wrongType,
} from '../../document/schema.ts'
import type { ConfiguredAnswer, DirectAnswer, Rule, Template, Webhook } from '../webhook.ts'
import { answerHeader, isHeaderText } from './headers.ts'
import { rule } from './rules.ts'
import { isJsonTemplate, parseTemplate, placeInBody, placeInHeader } from './template.ts'

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
interface AnswerParts {
  readonly text: string
  readonly type: string
  readonly headers: ReadonlyMap<string, string>
}

const mediaType = textLike(
  (value) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+=[\w.-]+)*$/.test(value),
  'a media type, such as application/json',
)

const answerFields: Fields<AnswerParts> = {
  text: withDefault(
    text,
    '',
    'The body of the answer. `${data.ref}` is a value of the request, `${env:NAME}` one from outside.',
  ),
  type: withDefault(
    mediaType,
    'text/plain; charset=utf-8',
    'The media type of the text. Values are encoded for it.',
  ),
  headers: withDefault(
    mapOf(answerHeader, text),
    {},
    'Headers of the answer, besides `response_headers`. Values of the request may stand in `Location` and in headers that begin with `X-`.',
  ),
}

/** Finds the places in the parts of an answer, and how values have to be encoded there. */
function answerOf(
  { text: written, type, headers }: AnswerParts,
  report: Report,
  outside: Outside,
): ConfiguredAnswer | undefined {
  const at =
    (...path: PropertyKey[]): Report =>
    (code, message) =>
      report(code, message, path)
  const body = parseTemplate(written, { placeOf: placeInBody(type), report: at('text'), outside })
  const own = new Map<string, Template>()
  let isSound = body !== undefined
  for (const [name, value] of headers) {
    const reportAt = at('headers', name)
    const template = parseTemplate(value, {
      placeOf: placeInHeader(name),
      report: reportAt,
      outside,
    })
    const isText = template?.every((piece) => typeof piece !== 'string' || isHeaderText(piece))
    if (name.toLowerCase() === 'content-type') reportAt('conflict', 'is the key type of the answer')
    if (isText === false)
      reportAt('out_of_range', 'must be text of one line that a header can hold')
    if (template === undefined || isText === false) isSound = false
    else own.set(name.toLowerCase(), template)
  }
  if (body === undefined || !isSound) return undefined
  if (/[/+]json\b/.test(type) && !isJsonTemplate(body)) {
    return report('out_of_range', 'must be JSON, as the type says', ['text'])
  }
  return { text: body, type, headers: own }
}

const responseText: Schema<Webhook['response']> = built(
  mapping<AnswerParts>(
    {
      ...answerFields,
      text: required(
        text,
        'The body of the answer. `${data.ref}` is a value of the request, `${env:NAME}` one from outside.',
      ),
    },
    { title: 'WebhookFixedResponse' },
  ),
  answerOf,
)

interface DirectParts extends AnswerParts {
  readonly when: Rule
  readonly status: number
}

/** Answers to deliveries that need no run. */
export const directAnswers: Schema<readonly DirectAnswer[]> = listOf(
  built(
    mapping<DirectParts>(
      {
        when: required(rule, 'The condition on the request.'),
        status: withDefault(integer(200, 599), 200, 'The status of the answer.'),
        ...answerFields,
      },
      { title: 'WebhookAnswer' },
    ),
    ({ when, status, ...parts }, report, outside: Outside) => {
      const answer = answerOf(parts, report, outside)
      return answer && { when, status, ...answer }
    },
  ),
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
