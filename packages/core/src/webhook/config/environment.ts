import type { Pattern } from '@gatehouse/go-template/regex'
import { Secret } from '../../crypto/secret.ts'
import { outsideObject, outsideText, plainOutsideText } from '../../document/outside-text.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  built,
  checked,
  choice,
  type Fields,
  flag,
  integer,
  isMapping,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  parsedText,
  required,
  type Schema,
  textLike,
  wholePattern,
  withDefault,
} from '../../document/schema.ts'
import { isOwnVariable } from '../command/environment.ts'
import { refusedVariable } from '../shell/refused-variables.ts'
import type { ValueFile } from '../webhook.ts'
import type { Open, WrittenValues, WrittenVariable } from './missing-values.ts'
import { source, type WrittenSource } from './sources.ts'

/** Systems know only one character that ends a name. Shells do not read names with others than letters, digits and `_`. */
const variableName = /^[^=\0\p{Cc}]{1,256}$/u
const nameRule = 'the name of a variable: at most 256 characters, without = and control characters'

/** Why a request must not set a variable; `undefined` if it may. */
function refusalOf(name: string): string | undefined {
  const directed = refusedVariable(name)
  return directed && `a request must not set ${name}, which directs ${directed}`
}

/** The checks of a value, and what happens without one. */
interface ValueParts {
  readonly on_missing: 'error' | 'skip' | 'empty' | undefined
  readonly pattern: Pattern | undefined
  readonly max_length: number | undefined
}

const valueFields: Fields<ValueParts> = {
  on_missing: optional(
    oneOf('error', 'skip', 'empty'),
    'If the value is missing: `error` refuses the request, `skip` leaves the variable unset, `empty` is an empty value. Default: that of the webhook.',
  ),
  pattern: optional(
    wholePattern,
    'Must match the whole value, in RE2 syntax. Values of more than 4,096 characters never match. Default: anything.',
  ),
  max_length: optional(integer(0), 'The longest value, in bytes. Default: what the system allows.'),
}

interface SourceParts extends ValueParts {
  readonly source: WrittenSource | undefined
  readonly default: string | undefined
  readonly allow_dash: boolean | undefined
}

const sourceParts = checked(
  mapping<SourceParts>(
    {
      source: optional(source, 'The place of the value, such as `data.branch`.'),
      default: optional(plainOutsideText, 'The value if the request has none.'),
      ...valueFields,
      allow_dash: optional(flag, 'Whether the value may start with `-`. Default: `true`.'),
    },
    { title: 'WebhookVariable' },
  ),
  ({ value, isBroken, report }) => {
    if (value.source === undefined && !isBroken('source')) {
      report([], 'required', 'needs a source')
    }
  },
)

const toText = (value: string): WrittenVariable => ({ kind: 'text', value: new Secret(value) })
const fromText: Schema<WrittenVariable> = built(outsideText, toText)
const fromObject: Schema<WrittenVariable> = built(outsideObject, toText)
const fromRequest: Schema<WrittenVariable> = built(
  sourceParts,
  ({ source: written, allow_dash, ...parts }): WrittenVariable | undefined =>
    written && {
      kind: 'source',
      ...written,
      ...checksOf(parts),
      default: parts.default,
      allow_dash: allow_dash ?? true,
    },
)

const checksOf = ({ on_missing, pattern, max_length }: ValueParts): ValueParts => ({
  on_missing,
  pattern,
  max_length,
})

const environmentValue = choice([fromText, fromObject, fromRequest], (given) => {
  if (!isMapping(given)) return fromText
  return 'env' in given || 'file' in given ? fromObject : fromRequest
})

const nameOfVariable = keyOf((name, report) =>
  variableName.test(name) ? name : report('out_of_range', `${quoteKey(name)} must be ${nameRule}`),
)

/** The variables that are set for a command. */
export const environmentMap: Schema<WrittenValues['env']> = checked(
  mapOf(nameOfVariable, environmentValue),
  ({ value, reportKey }) => {
    for (const [name, one] of value) {
      const refusal = one?.kind === 'source' ? refusalOf(name) : undefined
      if (isOwnVariable(name)) reportKey([name], 'conflict', 'the server sets this variable itself')
      else if (refusal !== undefined) reportKey([name], 'conflict', refusal)
    }
  },
)

/** The variables of the server that a command inherits; `*` means all. */
export const inheritedNames: Schema<readonly string[]> = listOf(
  textLike((name) => name === '*' || variableName.test(name), `*, or ${nameRule}`),
)

interface FileParts extends ValueParts {
  readonly env: string
  readonly source: WrittenSource
  readonly base64: boolean
}

const fileName = parsedText(
  (name, report) => {
    const refusal = refusalOf(name)
    return refusal === undefined ? name : report('conflict', refusal)
  },
  textLike((name) => variableName.test(name), nameRule),
)

const valueFile: Schema<Open<ValueFile>> = built(
  mapping<FileParts>(
    {
      env: required(fileName, 'The variable for the path of the file.'),
      source: required(source, 'The place of the value, such as `data.archive`.'),
      base64: withDefault(flag, false, 'Whether the value is base64.'),
      ...valueFields,
    },
    { title: 'WebhookFile' },
  ),
  ({ env, source: written, base64, ...parts }) => ({ env, ...written, base64, ...checksOf(parts) }),
)

/** Values of a request that are written to files. */
export const valueFiles: Schema<WrittenValues['files']> = listOf(valueFile)
