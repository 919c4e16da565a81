import {
  hasMark,
  type OutsideSources,
  withoutReferences,
  withReferences,
  withValues,
} from './hook-outside.ts'
import { accessOf } from './hook-rules.ts'
import {
  type Given,
  listOf,
  NotCarriedOver,
  type Row,
  rowOf,
  sourceOf,
  textAt,
} from './hook-sources.ts'

/** A hook in the keys of a webhook. */
export interface ImportedHook {
  readonly id: string
  readonly settings: Readonly<Record<string, unknown>>
  /** What webhooks do otherwise than the hook did. Written as comments. */
  readonly notes: readonly string[]
  /** Why it is disabled, if it is. */
  readonly problems: readonly string[]
}

/** Behaviour of all hooks that is not the default of webhooks. */
export const hookDefaults: Readonly<Record<string, unknown>> = {
  on_missing: 'empty',
  concurrency: 0,
  timeout: 'none',
  shell: false,
  pass_env: ['*'],
  accept: ['json', 'form', 'multipart', 'xml', 'any'],
}

const known = new Set([
  ...['id', 'execute-command', 'command-working-directory', 'response-message'],
  ...['response-headers', 'success-http-response-code', 'http-methods', 'trigger-rule'],
  ...['include-command-output-in-response', 'include-command-output-in-response-on-error'],
  ...['pass-arguments-to-command', 'pass-environment-to-command', 'pass-file-to-command'],
  ...['trigger-rule-mismatch-http-response-code', 'trigger-signature-soft-failures'],
  'parse-parameters-as-json',
])

/** Keys of the program that change what a hook reads, and have no counterpart. */
const notCarried = new Set(['incoming-payload-content-type'])

const methods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD']

/** What the hooks of a file share. */
export interface HookContext {
  /** The path before their ids. */
  readonly prefix: string
  /** The methods of hooks that name none. */
  readonly methods: readonly string[]
  /** Headers of all answers. */
  readonly headers: Readonly<Record<string, string>>
  /** What a template may read. */
  readonly sources: OutsideSources
}

/** Converts one hook. A part that cannot be kept disables it, because it would not do what it did. */
export function webhookOf(
  given: Row,
  { prefix, methods, headers, sources }: HookContext,
): ImportedHook {
  const notes: string[] = []
  const found = new Set<string>()
  const settings: Record<string, unknown> = {}
  const carry = (part: () => object): void => {
    try {
      Object.assign(settings, part())
    } catch (error) {
      if (!(error instanceof NotCarriedOver)) throw error
      found.add(error.message)
    }
  }
  const textsOf = (texts: Row, isKept: IsKept): Row =>
    rowOf(settled(texts, { sources, isKept, report: (problem) => found.add(problem) }))
  const hook = textsOf(given, isSecret)
  const id = textAt(hook, 'id')
  Object.assign(settings, { id, path: `${prefix}/${id}` })
  carry(() => methodsOf(hook, methods, notes))
  carry(() => ruleSettings(hook, notes))
  carry(() => commandOf(hook))
  carry(() => argumentsOf(hook, notes))
  carry(() => environmentOf(hook))
  carry(() => filesOf(hook))
  carry(() => formOf(hook))
  carry(() => answerOf(hook, headers, notes))
  // A value that turned out to be no secret.
  Object.assign(
    settings,
    textsOf(settings as Row, () => false),
  )
  for (const key of Object.keys(hook)) {
    if (notCarried.has(key)) found.add(`the key ${key} does not carry over`)
    else if (!known.has(key)) notes.push(`the key ${key} did nothing`)
  }
  if (!('token' in settings || 'signature' in settings)) settings.auth = 'none'
  Object.assign(settings, signedMethods(settings, notes))
  if (found.size > 0) settings.enabled = false
  return { id, settings, notes, problems: [...found] }
}

type IsKept = (path: readonly string[]) => boolean

interface Settling {
  readonly sources: OutsideSources
  /** Whether a webhook reads a text from outside itself. */
  readonly isKept: IsKept
  readonly report: (problem: string) => void
}

/** Puts values from outside into all texts that a webhook does not read from outside itself. */
function settled(given: Given, settling: Settling, path: readonly string[] = []): Given {
  if (typeof given === 'string') return settledText(given, settling, path)
  if (typeof given !== 'object' || given === null) return given
  const inner = (value: Given, key: string): Given => settled(value, settling, [...path, key])
  if (Array.isArray(given)) return given.map((value, index) => inner(value, String(index)))
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, inner(value, key)]))
}

function settledText(text: string, settling: Settling, path: readonly string[]): string {
  if (!hasMark(text) || settling.isKept(path)) return text
  try {
    return withValues(text, settling.sources)
  } catch (error) {
    if (!(error instanceof NotCarriedOver)) throw error
    settling.report(error.message)
    return withReferences(text)
  }
}

/** Secrets of rules, values that may be tokens, and variables with a fixed value. */
function isSecret(path: readonly string[]): boolean {
  const key = path.at(-1) ?? ''
  if (path[0] === 'trigger-rule') return key === 'secret' || key === 'value'
  return path[0] === 'pass-environment-to-command' && key === 'name'
}

function methodsOf(hook: Row, defaults: readonly string[], notes: string[]): object {
  const own = listOf(hook['http-methods']).map((one) => String(one).trim().toUpperCase())
  const given = own.length === 0 ? defaults : own
  if (given.length === 0) {
    notes.push('every method was accepted; add those to methods that the sender needs besides POST')
    return {}
  }
  const unknown = given.filter((one) => !methods.includes(one))
  if (unknown.length > 0)
    throw new NotCarriedOver(`the methods ${unknown.join(', ')} are not there`)
  return given.length === 1 && given[0] === 'POST' ? {} : { methods: given }
}

/** What has no body has nothing to sign. */
function signedMethods(
  { signature, methods: given }: Record<string, unknown>,
  notes: string[],
): object {
  if (signature === undefined || !Array.isArray(given)) return {}
  const kept = given.filter((method) => method !== 'GET' && method !== 'HEAD')
  if (kept.length === given.length) return {}
  notes.push('GET and HEAD have no body that could be signed, so it takes neither')
  return { methods: kept.length === 0 ? ['POST'] : kept }
}

function ruleSettings(hook: Row, notes: string[]): object {
  const rule = hook['trigger-rule']
  if (rule === undefined || rule === null) return {}
  if (Object.keys(rowOf(rule)).length === 0)
    throw new NotCarriedOver('its empty rule never matched')
  if (/"secret":"\$\{\w+\}"/.test(JSON.stringify(rule))) {
    notes.push(
      `a secret is a text with a dollar sign and braces: if a program filled it in before, write a reference to a variable`,
    )
  }
  const status = Number(textAt(hook, 'trigger-rule-mismatch-http-response-code') || 200)
  return accessOf(rowOf(rule), status >= 200 && status < 600 ? status : 200)
}

/** The peer joins a relative command with the working directory, and never splits it. */
function commandOf(hook: Row): object {
  const written = textAt(hook, 'execute-command')
  const workdir = textAt(hook, 'command-working-directory')
  const isLocal = workdir !== '' && !written.includes('/')
  const command = isLocal ? `./${written}` : written
  const words = [command, ...wordsOf(passedArguments(hook)).map((one) => textAt(one, 'name'))]
  return {
    execute_command: withoutReferences(words.map(wordOf).join(' ')),
    workdir: withoutReferences(workdir),
  }
}

/** One word of a command line, quoted if it must be. */
function wordOf(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const passedArguments = (hook: Row): readonly Row[] =>
  listOf(hook['pass-arguments-to-command']).map(rowOf)

const isFixed = (argument: Row): boolean => textAt(argument, 'source') === 'string'
const isEmpty = (argument: Row): boolean => isFixed(argument) && textAt(argument, 'name') === ''

/** The first arguments that become words of the command: an argument that is fixed cannot be empty, but a word can. */
function wordsOf(args: readonly Row[]): readonly Row[] {
  const words = args.slice(0, args.findLastIndex(isEmpty) + 1)
  return words.every(isFixed) ? words : []
}

function argumentsOf(hook: Row, notes: string[]): object {
  const passed = passedArguments(hook)
  const args = passed.slice(wordsOf(passed).length)
  if (args.some(isEmpty)) {
    throw new NotCarriedOver(
      'a fixed argument after a value is empty (with shell: true a command may end with "$1" \'\')',
    )
  }
  if (args.length === 0) return {}
  const command_arguments = args.map((one) =>
    isFixed(one)
      ? { name: withoutReferences(textAt(one, 'name')) }
      : { source: sourceOf(one), format: 'value', allow_dash: true },
  )
  if (command_arguments.some(({ source }) => source !== undefined)) {
    notes.push('values may begin with a dash, as before; a pattern is safer than allow_dash')
  }
  return { command_arguments }
}

function environmentOf(hook: Row): object {
  const env: Record<string, unknown> = {}
  for (const one of listOf(hook['pass-environment-to-command']).map(rowOf)) {
    const name = textAt(one, 'envname') || `HOOK_${textAt(one, 'name')}`
    env[name] =
      textAt(one, 'source') === 'string'
        ? withReferences(textAt(one, 'name'))
        : { source: sourceOf(one), on_missing: 'skip' }
  }
  return Object.keys(env).length === 0 ? {} : { env }
}

function filesOf(hook: Row): object {
  const files = listOf(hook['pass-file-to-command'])
    .map(rowOf)
    .map((one) => {
      const env = textAt(one, 'envname') || `HOOK_${textAt(one, 'name').toUpperCase()}`
      const base64 = one.base64decode === true ? { base64: true } : {}
      return { env, source: sourceOf(one), ...base64, on_missing: 'skip' }
    })
  return files.length === 0 ? {} : { files }
}

/** Fields of forms whose text is JSON. */
function formOf(hook: Row): object {
  const fields = listOf(hook['parse-parameters-as-json']).map(rowOf)
  if (fields.length === 0) return {}
  const isField = (one: Row): boolean =>
    textAt(one, 'source') === 'payload' && !textAt(one, 'name').includes('.')
  if (!fields.every(isField)) {
    throw new NotCarriedOver('parse-parameters-as-json reads more than fields of a form')
  }
  return { form: { json: fields.map((one) => textAt(one, 'name')) } }
}

function answerOf(hook: Row, shared: Readonly<Record<string, string>>, notes: string[]): object {
  const showsOutput = hook['include-command-output-in-response'] === true
  const headers = listOf(hook['response-headers'])
    .map(rowOf)
    .map((one) => [textAt(one, 'name'), withoutReferences(textAt(one, 'value'))] as const)
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const others = Object.entries(shared).filter(([name]) => !names.has(name.toLowerCase()))
  const status = Number(textAt(hook, 'success-http-response-code') || 200)
  if (status < 200 || status > 399) throw new NotCarriedOver(`the status ${status} of a success`)
  if (showsOutput && hook['include-command-output-in-response-on-error'] !== true) {
    notes.push('the answer of a failed command has its output too')
  }
  return {
    ...(showsOutput
      ? { response: 'text', stderr: 'stdout' }
      : { mode: 'async', response: { text: withReferences(textAt(hook, 'response-message')) } }),
    ...(status === 200 ? {} : { success_status: status }),
    ...(headers.length + others.length === 0
      ? {}
      : { response_headers: Object.fromEntries([...others, ...headers]) }),
  }
}
