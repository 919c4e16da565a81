import { problemAt } from '../../../document/decode-document.ts'
import { formatDocumentProblem } from '../../../document/problem.ts'
import type { LoadedWebhooksConfig, LoadedWebhooksPart, Webhook } from '../../webhook.ts'
import { checkPaths, webhookAt } from '../delivery-path.ts'
import { checkChains } from '../planned-runs.ts'
import type { WebhooksConfigCode } from '../problem.ts'
import { checkIds } from '../webhooks-schema.ts'
import type { ReadPart, WrittenPart } from './read-part.ts'

/** The webhooks of one file. */
interface WebhooksOfFile {
  /** Absent for the configuration itself. */
  readonly filename?: string
  readonly webhooks: readonly Webhook[]
}

/** A problem between webhooks of several files. */
export interface Conflict {
  readonly path: readonly (string | number)[]
  readonly code: WebhooksConfigCode
  readonly message: string
}

/** The configuration itself. */
export interface MainFile {
  readonly base_path: string
  readonly webhooks: readonly Webhook[]
}

/** All files together. */
export interface JoinedParts extends Pick<LoadedWebhooksConfig, 'webhooks' | 'parts'> {
  /** Problems of the configuration itself. */
  readonly problems: readonly Conflict[]
  /** Its warnings. */
  readonly warnings: readonly string[]
}

/**
 * Joins files: what conflicts with a file before it is refused as a whole, and the rest is joined without it. A configuration that
 * names a webhook of a refused file is good.
 *
 * @param build makes the webhooks of a good part.
 */
export function joinParts(
  main: MainFile,
  read: readonly ReadPart[],
  build: (written: WrittenPart, part: ReadPart) => readonly Webhook[],
): JoinedParts {
  if (read.length === 0) return { ...main, parts: [], problems: [], warnings: [] }
  const parts = read.map((part) => ({
    part,
    webhooks: part.written === undefined ? [] : build(part.written, part),
    problems: [...part.problems],
  }))
  const goodParts = (): typeof parts => parts.filter(({ problems }) => problems.length === 0)
  const filesOf = (good: typeof parts): readonly WebhooksOfFile[] => [
    main,
    ...good.map(({ part: { filename }, webhooks }) => ({ filename, webhooks })),
  ]
  const joined = (
    ofMain: readonly Conflict[],
    [looseEnds = [], ...looseEndsOfParts]: LooseEnds,
  ): JoinedParts => {
    const good = goodParts()
    return {
      problems: ofMain,
      warnings: looseEnds,
      webhooks: filesOf(good).flatMap(({ webhooks }) => webhooks),
      parts: parts.map((one) => {
        const { filename, warnings, holdsLiteralSecrets } = one.part
        const at = good.indexOf(one)
        const webhooks = at < 0 ? [] : one.webhooks
        const own = at < 0 ? warnings : [...warnings, ...(looseEndsOfParts[at] ?? [])]
        return { filename, webhooks, problems: one.problems, warnings: own, holdsLiteralSecrets }
      }),
    }
  }
  for (;;) {
    const good = goodParts()
    const isWhole = good.length === parts.length
    const files = filesOf(good)
    const [ofMain = [], ...ofParts] = conflictsOf(files, main.base_path, isWhole)
    for (const [index, conflicts] of ofParts.entries()) {
      const one = good[index]
      for (const conflict of conflicts) one?.problems.push(lineOf(conflict, one.part))
    }
    if (ofParts.some((conflicts) => conflicts.length > 0)) continue
    if (ofMain.length > 0) return joined(ofMain, [])
    return joined([], isWhole ? [] : looseEndsOf(files, main.base_path))
  }
}

/** Warnings of each file about webhooks that run after one that is missing. */
type LooseEnds = readonly (readonly string[])[]

/** The loose ends of files without other conflicts. */
function looseEndsOf(files: readonly WebhooksOfFile[], basePath: string): LooseEnds {
  return conflictsOf(files, basePath, true).map((conflicts) =>
    conflicts.map(
      ({ path: [, index], message }) => `${webhookAt(Number(index))}.after.webhook: ${message} now`,
    ),
  )
}

function lineOf({ path, code, message }: Conflict, { node, filename }: ReadPart): string {
  // The code is one of a document or of ours, and lines do not show it.
  const problem =
    node === undefined ? undefined : problemAt(node, path, { code: 'conflict', message })
  return formatDocumentProblem(problem ?? { path: '', code, message }, filename)
}

/**
 * The conflicts of each file.
 *
 * @param isWhole whether no file is missing, so that each webhook that is named must be there.
 */
function conflictsOf(
  files: readonly WebhooksOfFile[],
  basePath: string,
  isWhole: boolean,
): readonly (readonly Conflict[])[] {
  const places = files.flatMap(({ filename, webhooks }, file) =>
    webhooks.map((_, index) => ({ file, index, filename })),
  )
  const conflicts = files.map((): Conflict[] => [])
  const nameOf = (at: number): string => {
    const { filename = 'the main file', index = 0 } = places[at] ?? {}
    return `${filename} ${webhookAt(index)}`
  }
  const checking = {
    value: {
      webhooks: files.flatMap(({ webhooks }) => webhooks),
      base_path: basePath,
      defaults: {},
    },
    report(path: readonly PropertyKey[], code: string, message: string): undefined {
      const [key, at, ...others] = path.map((step) => (typeof step === 'symbol' ? '' : step))
      const { file = 0, index = 0 } = places[Number(at)] ?? {}
      const within = [key ?? '', index, ...others]
      // The rules report codes of ours.
      conflicts[file]?.push({ path: within, code: code as WebhooksConfigCode, message })
    },
  }
  checkIds(checking, nameOf)
  checkPaths(checking, nameOf)
  checkChains(checking, isWhole)
  return conflicts
}

/**
 * Lets refused files keep the webhooks that they had in the configuration before, where nothing else has taken their ids or paths.
 *
 * @returns `next` itself if there are none.
 */
export function keepFormerParts(
  next: LoadedWebhooksConfig,
  former: LoadedWebhooksConfig,
): LoadedWebhooksConfig {
  let { webhooks } = next
  const parts = next.parts.map((part): LoadedWebhooksPart => {
    const before = former.parts.find(({ filename }) => filename === part.filename)?.webhooks ?? []
    if (part.problems.length === 0 || before.length === 0) return part
    const files = [{ webhooks }, { webhooks: before }]
    const conflicts = conflictsOf(files, next.base_path, false)
    if (conflicts.some(({ length }) => length > 0)) return part
    webhooks = [...webhooks, ...before]
    return { ...part, webhooks: before }
  })
  if (webhooks === next.webhooks) return next
  return {
    ...next,
    webhooks,
    ...withLooseEndsOf(parts, next),
    // What was read for the former webhooks stays secret from all commands.
    withheld: new Set([...next.withheld, ...former.withheld]),
  }
}

/** The warnings of a configuration once its parts have other webhooks. */
function withLooseEndsOf(
  parts: readonly LoadedWebhooksPart[],
  before: LoadedWebhooksConfig,
): Pick<LoadedWebhooksConfig, 'parts' | 'warnings'> {
  const ofParts = before.parts.reduce((count, { webhooks }) => count + webhooks.length, 0)
  const main = { webhooks: before.webhooks.slice(0, before.webhooks.length - ofParts) }
  const old = looseEndsOf([main, ...before.parts], before.base_path)
  const now = looseEndsOf([main, ...parts], before.base_path)
  const renewed = (warnings: readonly string[], file: number): readonly string[] => [
    ...warnings.filter((warning) => old[file]?.includes(warning) !== true),
    ...(now[file] ?? []),
  ]
  return {
    parts: parts.map((part, index) => ({ ...part, warnings: renewed(part.warnings, index + 1) })),
    warnings: renewed(before.warnings, 0),
  }
}
