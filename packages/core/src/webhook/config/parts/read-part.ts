import type { ConfigNode } from '../../../document/config-document.ts'
import { inspectDocument } from '../../../document/decode-document.ts'
import { formatDocumentProblem } from '../../../document/problem.ts'
import {
  checked,
  type Fields,
  listOf,
  mapping,
  type Schema,
  type Sound,
  withDefault,
} from '../../../document/schema.ts'
import { isGatehouseError } from '../../../errors.ts'
import { parseWebhooksDocument } from '../document.ts'
import { foreignServiceKeys } from '../foreign-keys.ts'
import type { WebhooksConfigProblem } from '../problem.ts'
import type { WithSenders } from '../sender.ts'
import { serviceFields } from '../service-settings.ts'
import {
  type WebhookSettings,
  type WrittenWebhook,
  webhookDefaults,
  writtenWebhook,
} from '../webhook-settings.ts'
import { checkEach } from '../webhooks-schema.ts'
import type { WebhooksConfigPart } from './part.ts'

/** The content of a part as written. */
export interface WrittenPart {
  readonly webhooks: readonly WrittenWebhook[]
  /** They come before those of the configuration. */
  readonly defaults: Partial<WebhookSettings>
}

/** A part that was read by itself. */
export interface ReadPart {
  readonly filename: string
  readonly directory: string
  /** `undefined` if it is bad. */
  readonly written: WrittenPart | undefined
  readonly node: ConfigNode | undefined
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly holdsLiteralSecrets: boolean
}

const belongsElsewhere = 'it belongs to the main file'

const ofService = Object.keys(serviceFields({ limits: {}, log: {} }))

const partFields: Fields<WrittenPart> = {
  webhooks: withDefault(listOf(writtenWebhook), [], 'The webhooks.'),
  defaults: withDefault(webhookDefaults, {}, 'Defaults for the webhooks of this file.'),
}

/** What parts depend on in the configuration itself. */
export interface PartSurroundings {
  readonly defaults: Sound<Partial<WebhookSettings>>
  /** The keys of the program, which may stand only there. */
  readonly ownKeys: readonly string[]
}

function partSchema({ defaults, ownKeys }: PartSurroundings): Schema<WrittenPart> {
  const elsewhere = (key: string) => [key, belongsElsewhere] as const
  const notes = new Map([
    ...ofService.map(elsewhere),
    ...foreignServiceKeys,
    ...ownKeys.map(elsewhere),
  ])
  return checked(mapping<WrittenPart>(partFields, { notes }), (checking) =>
    checkEach(checking, { ...defaults, ...checking.value.defaults }),
  )
}

/** Reads further files, each by itself. */
export function readParts(
  parts: readonly WebhooksConfigPart[],
  outside: WithSenders,
  surroundings: PartSurroundings,
): readonly ReadPart[] {
  if (parts.length === 0) return []
  const schema = partSchema(surroundings)
  return parts.map((part) => readPart(part, schema, outside))
}

function readPart(
  { filename, directory, text }: WebhooksConfigPart,
  schema: Schema<WrittenPart>,
  outside: WithSenders,
): ReadPart {
  const place = { filename, directory: directory ?? outside.directory }
  const bad = {
    ...place,
    written: undefined,
    node: undefined,
    warnings: [],
    holdsLiteralSecrets: false,
  }
  const lines = (problems: readonly WebhooksConfigProblem[]): readonly string[] =>
    problems.map((problem) => formatDocumentProblem(problem, filename))
  if (typeof text !== 'string') {
    return { ...bad, problems: lines([{ path: '', code: 'unreadable', message: text.message }]) }
  }
  try {
    const node = parseWebhooksDocument({ text, filename })
    // Names of variables are withheld from the commands of all files.
    const own: WithSenders = { ...outside, directory: place.directory, holdsLiteralSecrets: false }
    const { value, problems, warnings } = inspectDocument(node, schema, { context: own })
    return {
      ...place,
      written: value,
      node,
      // The codes are those that our schemas report.
      problems: lines(problems as WebhooksConfigProblem[]),
      warnings,
      holdsLiteralSecrets: own.holdsLiteralSecrets,
    }
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') throw error
    return { ...bad, problems: lines(error.info.problems as WebhooksConfigProblem[]) }
  }
}
