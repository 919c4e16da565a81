import type { Pattern } from '@gatehouse/go-template/regex'
import { plainOutsideText } from '../../document/outside-text.ts'
import {
  built,
  type Checking,
  checked,
  type Fields,
  filledListOf,
  flag,
  integer,
  mapping,
  optional,
  recursive,
  type Schema,
  searchPattern,
  withDefault,
} from '../../document/schema.ts'
import type { AddressRange } from '../../http/ip-address.ts'
import type { Rule, SignatureOptions } from '../webhook.ts'
import { allowedAddresses } from './addresses.ts'
import { signature } from './signature.ts'
import { source, type WrittenSource } from './sources.ts'

/** All keys of a rule. */
interface RuleParts {
  readonly all: readonly Rule[] | undefined
  readonly any: readonly Rule[] | undefined
  readonly not: Rule | undefined
  readonly signature: SignatureOptions | undefined
  readonly client_ip: readonly AddressRange[] | undefined
  readonly source: WrittenSource | undefined
  readonly equals: string | undefined
  readonly one_of: readonly string[] | undefined
  readonly pattern: Pattern | undefined
  readonly exists: boolean | undefined
}

/** A condition on a request. */
export const rule: Schema<Rule> = recursive(() => nestedRule)

const fields: Fields<RuleParts> = {
  all: optional(filledListOf(rule), 'All of these rules must be satisfied.'),
  any: optional(filledListOf(rule), 'At least one of these rules must be satisfied.'),
  not: optional(rule, 'This rule must not be satisfied.'),
  signature: optional(
    signature,
    'The delivery has this signature, written like that of a webhook. It lets a webhook with `auth: none` have several kinds of senders.',
  ),
  client_ip: optional(
    allowedAddresses,
    'The address of the client is one of these, or in one of these ranges.',
  ),
  source: optional(source, 'The value to check, such as `data.ref`.'),
  equals: optional(plainOutsideText, 'The value equals this text.'),
  one_of: optional(filledListOf(plainOutsideText), 'The value equals one of these texts.'),
  pattern: optional(searchPattern, 'The RE2 expression matches somewhere in the value.'),
  exists: optional(flag, 'Whether the request has the value.'),
}

const kinds = ['all', 'any', 'not', 'signature', 'client_ip', 'source'] as const
const tests = ['equals', 'one_of', 'pattern', 'exists'] as const

function checkParts(checking: Checking<RuleParts>): void {
  const kind = onlyOne(checking, kinds)
  if (kind === 'source') onlyOne(checking, tests)
  if (kind === 'source' || kind === undefined) return
  const test = tests.find((key) => isThere(checking, key))
  if (test !== undefined) checking.reportKey([test], 'conflict', `needs a source, not ${kind}`)
}

const isThere = ({ value, isBroken }: Checking<RuleParts>, key: keyof RuleParts): boolean =>
  value[key] !== undefined || isBroken(key)

/** Requires a mapping to have exactly one of these keys. */
function onlyOne<Key extends keyof RuleParts>(
  checking: Checking<RuleParts>,
  keys: readonly Key[],
): Key | undefined {
  const [first, second] = keys.filter((key) => isThere(checking, key))
  if (first === undefined) return checking.report([], 'required', `needs one of ${keys.join(', ')}`)
  if (second === undefined) return first
  return checking.reportKey([second], 'conflict', `allows only one of ${keys.join(', ')}`)
}

function ruleOf(given: RuleParts): Rule | undefined {
  const { all, any, not, signature: signed, client_ip: ranges, source: written, ...parts } = given
  if (all !== undefined) return { kind: 'all', rules: all }
  if (any !== undefined) return { kind: 'any', rules: any }
  if (not !== undefined) return { kind: 'not', rule: not }
  if (signed !== undefined) return { kind: 'signature', signature: signed }
  if (ranges !== undefined) return { kind: 'client_ip', ranges }
  const test = testOf(parts)
  if (test === undefined || written === undefined) return undefined
  return { kind: 'match', from: written.from, test }
}

type Test = Extract<Rule, { kind: 'match' }>['test']

function testOf({
  equals,
  one_of: values,
  pattern,
  exists,
}: Pick<RuleParts, (typeof tests)[number]>): Test | undefined {
  if (equals !== undefined) return { kind: 'equals', value: equals }
  if (values !== undefined) return { kind: 'one_of', values }
  if (pattern !== undefined) return { kind: 'pattern', pattern }
  return exists === undefined ? undefined : { kind: 'exists', exists }
}

const nestedRule: Schema<Rule> = built(
  checked(mapping(fields, { title: 'WebhookRule' }), checkParts),
  ruleOf,
)

interface RootParts extends RuleParts {
  readonly mismatch_status: number
}

/** The condition on a request, and the status of the answer otherwise. */
export const rules: Schema<{ readonly rule: Rule; readonly mismatch_status: number }> = built(
  checked(
    mapping<RootParts>(
      {
        ...fields,
        mismatch_status: withDefault(
          integer(200, 599),
          200,
          'The status of the answer if the rule is not satisfied.',
        ),
      },
      { title: 'WebhookRules' },
    ),
    checkParts,
  ),
  ({ mismatch_status, ...parts }) => {
    const root = ruleOf(parts)
    return root && { rule: root, mismatch_status }
  },
)
