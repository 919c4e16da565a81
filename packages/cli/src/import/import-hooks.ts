import { readFileSync } from 'node:fs'
import { isGatehouseError } from '@gatehouse/core'
import { type ConfigNode, parseConfigDocument } from '@gatehouse/core/config'
import { readWebhooksConfig, type WebhooksConfigProblem } from '@gatehouse/core/webhook'
import { fileProblem } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { type Given, hasTemplate, listOf, markVariables, rowOf } from './hook-sources.ts'
import { hookDefaults, type ImportedHook, webhookOf } from './hook-webhook.ts'

/** Flags of `gatehouse import hooks`. */
export interface ImportHooksFlags {
  readonly urlprefix: string
}

/**
 * Prints the hooks of adnanh/webhook as a configuration. Returns the exit code: 1 if a hook is disabled because a part of it does
 * not carry over.
 */
export function importHooks(files: readonly string[], { urlprefix }: ImportHooksFlags): number {
  const prefix = urlprefix.replace(/^\/*|\/*$/g, '').replace(/^(?=.)/, '/')
  const hooks = files.flatMap((file) => listOf(read(file))).map(rowOf)
  const imported = withoutRepeated(hooks.map((hook) => checked(webhookOf(hook, prefix))))
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
  const open = imported
    .filter(({ settings }) => settings.auth === 'none')
    .map(({ id }) => shown(id))
  if (open.length > 0) {
    writeErrorLine(`without authentication (a token, a signature): ${open.join(', ')}\n`)
  }
  return imported.some(({ problems }) => problems.length > 0) ? badNews : 0
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

/** A file in YAML or JSON, as its program reads both. */
function read(file: string): Given {
  try {
    return plainValue(parseConfigDocument(markVariables(readFileSync(file, 'utf8')), file))
  } catch (error) {
    if (isGatehouseError(error)) throw error
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
  const ofTexts = hasTemplate(JSON.stringify(settings)) ? ['a part of it is a template'] : []
  const all = [
    ...problems,
    ...ofTexts,
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
    // The variables of its secrets need not be here.
    const names = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name)
    const environment = Object.fromEntries(names.map((name) => [name, 'a-secret-from-outside']))
    readWebhooksConfig(text, { environment, workdir: process.cwd() })
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
