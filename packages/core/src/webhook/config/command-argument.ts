import type { Pattern } from '@gatehouse/go-template/regex'
import { plainOutsideText } from '../../document/outside-text.ts'
import {
  built,
  checked,
  flag,
  integer,
  mapping,
  noted,
  oneOf,
  optional,
  parsedText,
  type Schema,
  wholePattern,
  withDefault,
} from '../../document/schema.ts'
import type { ArgumentFormat, OnMissing } from '../webhook.ts'
import { foreignArgumentKeys } from './foreign-keys.ts'
import type { WrittenArgument } from './missing-values.ts'
import { rareSource, readSource, type WrittenSource } from './sources.ts'

/** The longest argument that Linux accepts, in bytes. */
const maxArgumentLength = 131_071

interface ArgumentParts {
  readonly name: string
  /** Without a source there is nothing to read. */
  readonly source: WrittenSource | { readonly source: ''; readonly from: undefined }
  readonly format: ArgumentFormat | undefined
  readonly on_missing: OnMissing | undefined
  readonly default: string | undefined
  readonly pattern: Pattern | undefined
  readonly max_length: number | undefined
  readonly allow_dash: boolean | undefined
}

const source: Schema<ArgumentParts['source']> = noted(
  parsedText((written, report) =>
    written === '' ? { source: '', from: undefined } : readSource(written, report),
  ),
  rareSource,
)

const parts = mapping<ArgumentParts>(
  {
    name: withDefault(plainOutsideText, '', 'The text of the argument.'),
    source: withDefault(
      source,
      '',
      'The place of the value, such as `data.image` or `header:X-Name`. Without it, `name` is a fixed argument.',
    ),
    format: optional(
      oneOf('separate', 'equals', 'concat', 'value'),
      '`separate`: name, then value. `equals`: `name=value`. `concat`: `namevalue`. `value`: the value alone. Default: `separate`.',
    ),
    on_missing: optional(
      oneOf('error', 'name', 'skip', 'empty'),
      'If the value is missing: `error` refuses the request, `name` passes only the name, `skip` nothing, `empty` an empty value. Default: that of the webhook.',
    ),
    default: optional(plainOutsideText, 'The value if the request has none.'),
    pattern: optional(
      wholePattern,
      'Must match the whole value, in RE2 syntax. Values of more than 4,096 characters never match. Default: anything.',
    ),
    max_length: optional(
      integer(0, maxArgumentLength),
      'The longest value, in bytes. Default: 65536.',
    ),
    allow_dash: optional(
      flag,
      'Whether a value may start an argument with `-`. Default: that of the webhook.',
    ),
  },
  { title: 'CommandArgument', notes: foreignArgumentKeys },
)

/** One argument of a command. */
export const commandArgument: Schema<WrittenArgument> = built(
  checked(parts, ({ value, isBroken, report, warn }) => {
    const { name, source: from, ...others } = value
    const hasName = name !== '' && (name !== undefined || isBroken('name'))
    const hasSource = from?.source !== '' && (from !== undefined || isBroken('source'))
    if (!hasName && !hasSource) report([], 'empty', 'needs a name or a source')
    if (hasSource) return
    if (name !== undefined && /\s/.test(name)) {
      warn(['name'], 'contains a blank, but stays one argument')
    }
    const [idle] = Object.keys(others)
    if (idle !== undefined && hasName) warn([idle], 'has no effect without a source')
  }),
  ({ name, source: { source: written, from }, ...given }) => ({
    name,
    source: written,
    from,
    format: given.format ?? 'separate',
    on_missing: given.on_missing,
    default: given.default,
    pattern: given.pattern,
    max_length: given.max_length ?? 65_536,
    allow_dash: given.allow_dash,
  }),
)
