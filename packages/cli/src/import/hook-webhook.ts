import { accessOf } from './hook-rules.ts'
import {
  listOf,
  NotCarriedOver,
  type Row,
  rowOf,
  secretOf,
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
  accept: ['json', 'form'],
}

const known = new Set([
  ...['id', 'execute-command', 'command-working-directory', 'response-message'],
  ...['response-headers', 'success-http-response-code', 'http-methods', 'trigger-rule'],
  ...['include-command-output-in-response', 'include-command-output-in-response-on-error'],
  ...['pass-arguments-to-command', 'pass-environment-to-command', 'pass-file-to-command'],
  'trigger-rule-mismatch-http-response-code',
])

const methods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD']

/** Converts one hook. A part that cannot be kept disables it, because it would not do what it did. */
export function webhookOf(hook: Row, prefix: string): ImportedHook {
  const id = textAt(hook, 'id')
  const notes: string[] = []
  const problems: string[] = []
  const settings: Record<string, unknown> = { id, path: `${prefix}/${id}` }
  const carry = (part: () => object): void => {
    try {
      Object.assign(settings, part())
    } catch (error) {
      if (!(error instanceof NotCarriedOver)) throw error
      problems.push(error.message)
    }
  }
  carry(() => methodsOf(hook, notes))
  carry(() => ruleSettings(hook))
  carry(() => commandOf(hook))
  carry(() => argumentsOf(hook, notes))
  carry(() => environmentOf(hook, notes))
  carry(() => filesOf(hook))
  carry(() => answerOf(hook, notes))
  for (const key of Object.keys(hook)) {
    if (!known.has(key)) problems.push(`the key ${key} does not carry over`)
  }
  if (!('token' in settings || 'signature' in settings)) settings.auth = 'none'
  if (problems.length > 0) settings.enabled = false
  return { id, settings, notes, problems }
}

function methodsOf(hook: Row, notes: string[]): object {
  const given = listOf(hook['http-methods']).map((one) => String(one).trim().toUpperCase())
  if (given.length === 0) {
    notes.push('every method was accepted; add those to methods that the sender needs besides POST')
    return {}
  }
  const unknown = given.filter((one) => !methods.includes(one))
  if (unknown.length > 0)
    throw new NotCarriedOver(`the methods ${unknown.join(', ')} are not there`)
  return given.length === 1 && given[0] === 'POST' ? {} : { methods: given }
}

function ruleSettings(hook: Row): object {
  const rule = hook['trigger-rule']
  if (rule === undefined || rule === null) return {}
  if (Object.keys(rowOf(rule)).length === 0)
    throw new NotCarriedOver('its empty rule never matched')
  const status = Number(textAt(hook, 'trigger-rule-mismatch-http-response-code') || 200)
  return accessOf(rowOf(rule), status >= 200 && status < 600 ? status : 200)
}

/** The peer joins a relative command with the working directory, and never splits it. */
function commandOf(hook: Row): object {
  const written = textAt(hook, 'execute-command')
  const workdir = textAt(hook, 'command-working-directory')
  const isLocal = workdir !== '' && !written.includes('/')
  const command = isLocal ? `./${written}` : written
  const isPlain = /^[\w./:@%+,=-]+$/.test(command)
  const quoted = `'${command.replaceAll("'", `'\\''`)}'`
  return { execute_command: isPlain ? command : quoted, workdir }
}

function argumentsOf(hook: Row, notes: string[]): object {
  const args = listOf(hook['pass-arguments-to-command']).map(rowOf)
  if (args.length === 0) return {}
  const command_arguments = args.map((one) => {
    if (textAt(one, 'base64decode') === 'true' || one.base64decode === true) {
      throw new NotCarriedOver('an argument is decoded from base64')
    }
    if (textAt(one, 'source') !== 'string') {
      return { source: sourceOf(one), format: 'value', allow_dash: true }
    }
    if (textAt(one, 'name') === '') throw new NotCarriedOver('a fixed argument is empty')
    return { name: textAt(one, 'name') }
  })
  if (command_arguments.some(({ source }) => source !== undefined)) {
    notes.push('values may begin with a dash, as before; a pattern is safer than allow_dash')
  }
  return { command_arguments }
}

function environmentOf(hook: Row, notes: string[]): object {
  const env: Record<string, unknown> = {}
  for (const one of listOf(hook['pass-environment-to-command']).map(rowOf)) {
    const written = textAt(one, 'envname') || `HOOK_${textAt(one, 'name')}`
    const name = written.replace(/\W/g, '_')
    if (name !== written) notes.push(`the variable ${written} is ${name}`)
    env[name] =
      textAt(one, 'source') === 'string'
        ? secretOf(textAt(one, 'name'))
        : { source: sourceOf(one), on_missing: 'skip' }
  }
  return Object.keys(env).length === 0 ? {} : { env }
}

function filesOf(hook: Row): object {
  const files = listOf(hook['pass-file-to-command'])
    .map(rowOf)
    .map((one) => {
      const env = (textAt(one, 'envname') || `HOOK_${textAt(one, 'name').toUpperCase()}`).replace(
        /\W/g,
        '_',
      )
      const base64 = one.base64decode === true ? { base64: true } : {}
      return { env, source: sourceOf(one), ...base64, on_missing: 'skip' }
    })
  return files.length === 0 ? {} : { files }
}

function answerOf(hook: Row, notes: string[]): object {
  const showsOutput = hook['include-command-output-in-response'] === true
  const headers = listOf(hook['response-headers'])
    .map(rowOf)
    .map((one) => [textAt(one, 'name'), textAt(one, 'value')] as const)
  const status = Number(textAt(hook, 'success-http-response-code') || 200)
  if (status < 200 || status > 399) throw new NotCarriedOver(`the status ${status} of a success`)
  if (showsOutput && hook['include-command-output-in-response-on-error'] !== true) {
    notes.push('the answer of a failed command has its output too')
  }
  return {
    ...(showsOutput
      ? { response: 'text', stderr: 'stdout' }
      : { mode: 'async', response: { text: textAt(hook, 'response-message') } }),
    ...(status === 200 ? {} : { success_status: status }),
    ...(headers.length === 0 ? {} : { response_headers: Object.fromEntries(headers) }),
  }
}
