import type { FlowInput } from './flow-client.ts'

/** Members that are no text. A checkbox and a button send `true`. */
const decoders: Readonly<Record<string, (text: string) => unknown>> = {
  index: Number,
  check: isTrue,
  resend: isTrue,
  skip: isTrue,
  do_not_ask_again: isTrue,
  confirm_recovery_code: isTrue,
  confirm_terminate_other_sessions: isTrue,
  request_device_token: isTrue,
  assertion_response: parse,
  creation_response: parse,
}

function isTrue(text: string): boolean {
  return text === 'true'
}

/** What is no JSON goes on as text, and the service says what is wrong with it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The input that a form stands for. Its fields have the names of the input's members; those with the pointer of an attribute, as
 * `/given_name`, become `attributes`. Names with `_` are the pages' own.
 */
export function readInput(form: URLSearchParams): FlowInput {
  const kind = form.get('identification') ?? form.get('authentication') ?? ''
  const isPhone = kind === 'phone' || kind.endsWith('_sms')
  const members: [string, unknown][] = []
  for (const [name, text] of form) {
    if (/^[_/]/.test(name)) continue
    const isNumber = isPhone && /^(?:login_id|target)$/.test(name)
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    members.push([name, decode?.(text) ?? (isNumber ? withoutSpaces(text) : text)])
  }
  const attributes = form.has('_attributes') ? { attributes: readAttributes(form) } : {}
  return { ...Object.fromEntries(members), ...attributes }
}

/** A phone number is written in many ways; the service takes it without what separates its digits. */
function withoutSpaces(number: string): string {
  return number.replace(/[\s().-]/g, '')
}

/** What was left empty is left out. */
function readAttributes(form: URLSearchParams): { pointer: string; value: string | number }[] {
  const numbers = form.get('_numbers')?.split(' ') ?? []
  const given = [...form].map(([pointer, text]) => ({ pointer, text: text.trim() }))
  return given
    .filter(({ pointer, text }) => pointer.startsWith('/') && text !== '')
    .map(({ pointer, text }) => ({
      pointer,
      value: numbers.includes(pointer) && !Number.isNaN(Number(text)) ? Number(text) : text,
    }))
}
