import { readFileSync } from 'node:fs'
import { isGatehouseError } from '@gatehouse/core'
import { type ConfigNode, parseConfigDocument } from '@gatehouse/core/config'
import { readWebhooksConfig, type WebhooksConfigProblem } from '@gatehouse/core/webhook'
import { fileProblem } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { type OutsideSources, sourcesOf } from './hook-outside.ts'
import { type Given, listOf, rowOf } from './hook-sources.ts'
import { looksLikeTemplate, renderHooks } from './hook-template.ts'
import { hookDefaults, type ImportedHook, webhookOf } from './hook-webhook.ts'

/** Flags of `gatehouse import hooks`. */
export interface ImportHooksFlags {
  readonly urlprefix: string
  readonly httpMethods?: string
  readonly header?: readonly string[]
  readonly template?: boolean
  readonly readFrom?: readonly string[]
}

/**
 * Prints the hooks of adnanh/webhook as a configuration. Returns the exit code: 1 if a hook is disabled because a part of it does
 * not carry over.
 */
export function importHooks(files: readonly string[], flags: ImportHooksFlags): number {
  const imported = withoutRepeated(files.flatMap((file) => hooksOf(file, flags).map(checked)))
  const lines = Object.entries(hookDefaults).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  )
  const start = imported.every((hook) => hook.isLeftOut) ? 'webhooks: []' : 'webhooks:'
  console.log(
    ['defaults: # what hooks do', ...lines, start, ...imported.flatMap(linesOf)].join('\n'),
  )
  for (const { id, problems } of imported) {
    for (const problem of problems) writeErrorLine(`${shown(id)}: disabled, because ${problem}\n`)
  }
  for (const line of withoutProof(imported)) writeErrorLine(`${line}\n`)
  return imported.some(({ problems }) => problems.length > 0) ? badNews : 0
}

/** The hooks of a file. */
function hooksOf(file: string, flags: ImportHooksFlags): readonly ImportedHook[] {
  const { urlprefix, httpMethods = '', header = [], template = false, readFrom = [] } = flags
  const prefix = urlprefix.replace(/^\/*|\/*$/g, '').replace(/^(?=.)/, '/')
  const methods = httpMethods.toUpperCase().match(/[A-Z]+/g) ?? []
  const headers = Object.fromEntries(header.map(headerOf))
  // Only a template reads something from outside.
  const sources = template ? sourcesOf(file, readFrom) : { environment: {}, folders: [] }
  const hooks = listOf(read(file, template ? sources : undefined)).map(rowOf)
  return hooks.map((hook) => webhookOf(hook, { prefix, methods, headers, sources }))
}

function headerOf(written: string): readonly [string, string] {
  const at = written.indexOf('=')
  if (at < 1) throw new Error(`--header ${written}: must be name=value`)
  return [written.slice(0, at), written.slice(at + 1)]
}

/** Enabled hooks that no token and no signature protects, by what protects them instead. */
function withoutProof(hooks: readonly PrintedHook[]): readonly string[] {
  const open = hooks.filter(
    ({ settings, problems }) => settings.auth === 'none' && problems.length === 0,
  )
  const idsOf = (found: readonly PrintedHook[]): string =>
    found.map(({ id }) => shown(id)).join(', ')
  const kinds = [
    ['every sender may run', ({ public: isPublic }) => isPublic === true],
    ['only addresses protect', ({ allow_ips }) => allow_ips !== undefined],
    [
      'only a rule protects',
      ({ rules, allow_ips }) => allow_ips === undefined && rules !== undefined,
    ],
  ] as const satisfies readonly (readonly [
    string,
    (settings: ImportedHook['settings']) => boolean,
  ])[]
  return kinds.flatMap(([text, isOfKind]) => {
    const found = open.filter(({ settings }) => isOfKind(settings))
    return found.length === 0 ? [] : [`without authentication, ${text}: ${idsOf(found)}`]
  })
}

/** An id on one line. */
const shown = (id: string): string => id.replace(/\p{Cc}+/gu, ' ') || 'a hook without id'

/** A hook in the printed configuration. */
interface PrintedHook extends ImportedHook {
  /** Whether it stands in comments, because the configuration with it would be refused even if it is disabled. */
  readonly isLeftOut: boolean
}

/** The first hook with an id counts, as in its program. */
function withoutRepeated(hooks: readonly PrintedHook[]): readonly PrintedHook[] {
  const ids = new Set<string>()
  return hooks.map((hook) => {
    const isRepeated = !hook.isLeftOut && ids.has(hook.id)
    if (!hook.isLeftOut) ids.add(hook.id)
    if (!isRepeated) return hook
    return { ...hook, problems: [...hook.problems, 'another hook has its id'], isLeftOut: true }
  })
}

/** A file in YAML or JSON, as its program reads both; with sources it is a template first. */
function read(file: string, sources: OutsideSources | undefined): Given {
  const text = textOf(file)
  if (sources === undefined && looksLikeTemplate(text)) {
    throw new Error(`${file}: is a template; add --template, as for its program`)
  }
  const document =
    sources === undefined
      ? parseConfigDocument(text, file)
      : parseConfigDocument(renderHooks(file, text, sources), `${file} (rendered)`)
  if (document.kind !== 'sequence') throw new Error(`${file}: must be a list of hooks`)
  return plainValue(document)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file}: ${fileProblem(error)}`, { cause: error })
  }
}

function plainValue(node: ConfigNode): Given {
  if (node.kind === 'sequence') return node.items.map(plainValue)
  if (node.kind === 'scalar') {
    if (!node.isPlain) return node.text
    if (/^(?:true|false)$/i.test(node.text)) return node.text.toLowerCase() === 'true'
    return /^(?:null|~|)$/i.test(node.text) ? null : node.text
  }
  const entries = node.entries.map(({ key, value }) => [
    key.kind === 'scalar' ? key.text : '',
    plainValue(value),
  ])
  return Object.fromEntries(entries)
}

/** Checks a webhook as the server would. What was open to every sender is written as public. */
function checked(hook: ImportedHook): PrintedHook {
  const { settings, problems } = hook
  const [first, ...others] = problemsOf(settings)
  if (settings.auth === 'none' && first?.path === 'webhooks[0].auth' && others.length === 0) {
    const notes = [...hook.notes, 'every sender could run it; say who may, or keep it public']
    return { ...hook, settings: { ...settings, public: true }, notes, isLeftOut: false }
  }
  const found = [...(first === undefined ? [] : [first]), ...others]
  const all = [
    ...problems,
    ...found.map(({ path, message }) => `${path.replace(/^webhooks\[0\]\./, '')} ${message}`),
  ]
  const disabled = all.length > 0 ? { ...settings, enabled: false } : settings
  const isLeftOut = all.length > 0 && problemsOf(disabled).length > 0
  return { ...hook, problems: all, settings: disabled, isLeftOut }
}

function problemsOf(settings: object): readonly WebhooksConfigProblem[] {
  try {
    // Checked like a file.
    const text = JSON.stringify({ defaults: hookDefaults, webhooks: [settings] })
    // What its secrets refer to need not be here.
    const secret = 'a-secret-from-outside'
    const names = [...text.matchAll(/\$\{env:([^}]+)\}/g)].map(([, name = '']) => [name, secret])
    const environment = { ...Object.fromEntries(names), CREDENTIALS_DIRECTORY: '/' }
    readWebhooksConfig(text, { environment, workdir: process.cwd(), readFile: () => secret })
    return []
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    return error.info.problems
  }
}

/** JSON is YAML, and has no text that needs more quotes. */
function linesOf({ settings, notes, problems, isLeftOut }: PrintedHook): readonly string[] {
  const comments = [...problems.map((problem) => `disabled: ${problem}`), ...notes]
  const mark = isLeftOut ? '# ' : ''
  return [
    ...comments.map((comment) => `  # ${comment.replace(/\s+/g, ' ')}`),
    ...Object.entries(settings).map(
      ([key, value], index) =>
        `  ${mark}${index === 0 ? '-' : ' '} ${key}: ${JSON.stringify(value)}`,
    ),
  ]
}
