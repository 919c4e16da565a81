import type { FlowInput } from './flow-client.ts'

/** Members that are not text. A checkbox and a button send `true`. */
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

/** Text that is not JSON is passed on, and the service reports the problem. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The input that a form represents. Its fields have the names of the input's members; fields named by a JSON pointer, such as
 * `/given_name`, become `attributes`. Names that start with `_` belong to the pages.
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

/** People write phone numbers in many ways; the service takes them without separators. */
function withoutSpaces(number: string): string {
  return number.replace(/[\s().-]/g, '')
}

/** Leaves out empty fields. */
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
