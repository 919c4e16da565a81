import { readFileSync } from 'node:fs'
import { compilePattern } from '@gatehouse/go-template/regex'
import { describe, expect, it } from 'vitest'
import { Secret } from '../src/crypto/secret.ts'
import { isGatehouseError } from '../src/errors.ts'
import { verifySignature } from '../src/webhook/access/signature.ts'
import { createTokenCheck } from '../src/webhook/access/token.ts'
import { resolveArguments } from '../src/webhook/command/command-arguments.ts'
import { parseCommandLine } from '../src/webhook/command/command-line.ts'
import { formatsOf, noFormat, type WrittenFormat } from '../src/webhook/config/signature.ts'
import { sampleDelivery } from '../src/webhook/request/delivery.fixture.ts'
import { parseSource, readSource } from '../src/webhook/request/source.ts'
import type {
  ArgumentFormat,
  CommandArgument,
  OnMissing,
  SignatureOptions,
  TokenFormat,
} from '../src/webhook/webhook.ts'

interface WrittenArgument {
  readonly name: string
  readonly source: string
  readonly format?: ArgumentFormat
  readonly on_missing?: OnMissing
  readonly default?: string
  readonly pattern?: string
  readonly max_length?: number
  readonly allow_dash?: boolean
}

interface WrittenSignature extends Partial<WrittenFormat> {
  readonly scheme: WrittenFormat['scheme']
  readonly tolerance?: number
  readonly timestamp_source?: string
  readonly secret?: string
  readonly secrets?: readonly string[]
}

/** The inputs of the vectors in each group. */
interface Inputs {
  readonly split: { readonly text: string }
  readonly resolve: { readonly body: string; readonly source: string }
  readonly argv: { readonly command_arguments: readonly WrittenArgument[]; readonly body: string }
  readonly token: {
    readonly configured: string
    readonly token_format?: TokenFormat
    readonly request: string
  }
  readonly signature: {
    readonly options: WrittenSignature
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly now: number
  }
}

interface RuleVector<Group extends keyof Inputs> {
  readonly name: string
  readonly group: Group
  readonly input: Inputs[Group]
  readonly expect: unknown
}

const file = new URL('../vectors/webhook.json', import.meta.url)
const vectors: { readonly cases: readonly RuleVector<keyof Inputs>[] } = JSON.parse(
  readFileSync(file, 'utf8'),
)

/** The outcome of a rule that may throw, with the details of its error. */
function outcomeOf(
  decide: () => unknown,
  explain: (facts: ReadonlyMap<string, unknown>) => unknown,
) {
  try {
    return decide()
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return explain(new Map(Object.entries({ ...error.info, reason: error.reason })))
  }
}

const runners: { readonly [Group in keyof Inputs]: (input: Inputs[Group]) => unknown } = {
  split({ text }) {
    const split = (): unknown => {
      const line = parseCommandLine(text, 'auto')
      return line.kind === 'words' ? { words: line.words } : { shell: true }
    }
    return outcomeOf(split, (facts) => ({ error: facts.get('problem') }))
  },
  resolve({ body, source }) {
    const value = readSource(parseSource(source), sampleDelivery({ body }), 0)
    return value === undefined ? { missing: true } : { value }
  },
  argv({ command_arguments, body }) {
    const webhook = { command_arguments: command_arguments.map(argumentOf) }
    const resolve = (): unknown => ({
      args: resolveArguments(webhook, sampleDelivery({ body }), 0),
    })
    return outcomeOf(resolve, (facts) => ({
      error: facts.get('reason'),
      index: facts.get('argument'),
    }))
  },
  token({ configured, token_format = 'any', request }) {
    return { accepted: createTokenCheck([configured], token_format).accepts(request) }
  },
  signature({ options, headers, body, now }) {
    const received = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const data = options.timestamp_source === undefined ? '{}' : `{"data":${body}}`
    const request = {
      ...sampleDelivery({ body: data, headers: Object.fromEntries(received) }),
      rawBody: new TextEncoder().encode(body),
    }
    return verifySignature(signatureOf(options), request, now * 1000)
  },
}

function argumentOf({ name, source, pattern, ...others }: WrittenArgument): CommandArgument {
  return {
    name,
    source,
    from: source === '' ? undefined : parseSource(source),
    format: 'separate',
    on_missing: 'error',
    default: undefined,
    max_length: 65_536,
    allow_dash: false,
    pattern: pattern === undefined ? undefined : compilePattern(pattern),
    ...others,
  }
}

function signatureOf({
  secret,
  secrets = [],
  timestamp_source: from,
  tolerance = 300_000,
  ...format
}: WrittenSignature): SignatureOptions {
  return {
    formats: formatsOf({ ...noFormat, ...format }),
    tolerance,
    timestamp_source: from === undefined ? undefined : parseSource(from),
    public_keys: [],
    url: undefined,
    audience: undefined,
    secrets: [...(secret === undefined ? [] : [secret]), ...secrets].map(
      (text) => new Secret(text),
    ),
  }
}

function describeGroup<Group extends keyof Inputs>(
  group: Group,
  count: number,
  run: (input: Inputs[Group]) => unknown,
): void {
  const isOfGroup = (vector: RuleVector<keyof Inputs>): vector is RuleVector<Group> =>
    vector.group === group
  const cases = vectors.cases.filter(isOfGroup)
  describe(`the vectors of ${group}`, () => {
    it(`number ${count}`, () => expect(cases).toHaveLength(count))
    it.each(cases)('$name', (vector) => expect(run(vector.input)).toEqual(vector.expect))
  })
}

describeGroup('split', 25, runners.split)
describeGroup('resolve', 24, runners.resolve)
describeGroup('argv', 25, runners.argv)
describeGroup('token', 15, runners.token)
describeGroup('signature', 30, runners.signature)
