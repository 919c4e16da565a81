import { Secret } from '../../crypto/secret.ts'
import { outsideObject, outsideText } from '../../document/outside-text.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  built,
  checked,
  choice,
  flag,
  isMapping,
  keyOf,
  listOf,
  mapOf,
  mapping,
  optional,
  parsedText,
  required,
  type Schema,
  text,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import type { EnvironmentValue, ValueFile } from '../webhook.ts'
import { source, type WrittenSource } from './sources.ts'

/** Variables that make programs load code or split words. No request may set them. */
const riskyNames: ReadonlySet<string> = new Set([
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'NODE_OPTIONS',
  'BASH_ENV',
  'ENV',
  'IFS',
])

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
const nameRule = 'the name of a variable: letters, digits and _'

const riskyMessage = (name: string): string => `a request must not set ${name}`

interface SourceParts {
  readonly source: WrittenSource | undefined
  readonly default: string | undefined
}

const sourceParts = checked(
  mapping<SourceParts>(
    {
      source: optional(source, 'The place of the value, such as `data.branch`.'),
      default: optional(text, 'The value if the request has none.'),
    },
    { title: 'WebhookVariable' },
  ),
  ({ value, isBroken, report }) => {
    if (value.source === undefined && !isBroken('source')) {
      report([], 'required', 'needs a source')
    }
  },
)

const toText = (value: string): EnvironmentValue => ({ kind: 'text', value: new Secret(value) })
const fromText: Schema<EnvironmentValue> = built(outsideText, toText)
const fromObject: Schema<EnvironmentValue> = built(outsideObject, toText)
const fromRequest: Schema<EnvironmentValue> = built(
  sourceParts,
  ({ source: written, default: other }): EnvironmentValue | undefined =>
    written && { kind: 'source', ...written, default: other },
)

const environmentValue = choice([fromText, fromObject, fromRequest], (given) => {
  if (!isMapping(given)) return fromText
  return 'env' in given || 'file' in given ? fromObject : fromRequest
})

const nameOfVariable = keyOf((name, report) =>
  variableName.test(name) ? name : report('out_of_range', `${quoteKey(name)} must be ${nameRule}`),
)

/** The variables that are set for a command. */
export const environmentMap: Schema<ReadonlyMap<string, EnvironmentValue>> = checked(
  mapOf(nameOfVariable, environmentValue),
  ({ value, reportKey }) => {
    for (const [name, one] of value) {
      if (riskyNames.has(name) && one?.kind === 'source') {
        reportKey([name], 'conflict', riskyMessage(name))
      }
    }
  },
)

/** The variables of the server that a command inherits; `*` means all. */
export const inheritedNames: Schema<readonly string[]> = listOf(
  textLike((name) => name === '*' || variableName.test(name), `*, or ${nameRule}`),
)

interface FileParts {
  readonly env: string
  readonly source: WrittenSource
  readonly base64: boolean
}

const fileName = parsedText(
  (name, report) => (riskyNames.has(name) ? report('conflict', riskyMessage(name)) : name),
  textLike((name) => variableName.test(name), nameRule),
)

const valueFile: Schema<ValueFile> = built(
  mapping<FileParts>(
    {
      env: required(fileName, 'The variable for the path of the file.'),
      source: required(source, 'The place of the value, such as `data.archive`.'),
      base64: withDefault(flag, false, 'Whether the value is base64.'),
    },
    { title: 'WebhookFile' },
  ),
  ({ env, source: written, base64 }) => ({ env, ...written, base64 }),
)

/** Values of a request that are written to files. */
export const valueFiles: Schema<readonly ValueFile[]> = listOf(valueFile)
