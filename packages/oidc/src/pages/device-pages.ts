import type { Page, PageLanguage } from '@gatehouse/core/auth'
import type { PageTarget } from './consent-page.ts'
import { appName, emblemOfClient, type ShownClient } from './shown-client.ts'
import { shortText } from './shown-text.ts'
import { wordsOf } from './words/languages.ts'
import type { DeviceProblem } from './words/words.ts'

/** The field with the code of a device. */
const userCodeField = 'user_code'

/** People copy a code with spaces and dashes of their own. */
const maxTypedCode = 40

/** The content of the page on which people enter the code of a device. */
export interface DeviceCodeView {
  /** From the link that the device shows, or as it was entered before. */
  readonly userCode?: string | undefined
  readonly problem?: DeviceProblem | undefined
  readonly target: PageTarget
}

/** Asks for the code that a device shows. A code from a link is filled in, but not sent. @see RFC 8628, section 3.3.1 */
export function deviceCodePage(
  { userCode = '', problem, target }: DeviceCodeView,
  language: PageLanguage,
): Page {
  const words = wordsOf[language].device
  return {
    status: problem === undefined ? 200 : 400,
    title: words.title,
    parts: [
      { kind: 'text', text: words.text },
      {
        kind: 'code_field',
        name: userCodeField,
        label: words.label,
        value: shortText(userCode.slice(0, maxTypedCode)),
        maxLength: maxTypedCode,
        problem: problem === undefined ? undefined : words.problems[problem],
      },
      { kind: 'buttons', buttons: [{ text: words.next }] },
    ],
    form: target,
  }
}

/** The content of the page on which people confirm that a device is theirs. */
export interface DeviceConfirmView {
  readonly client: ShownClient
  /** As the device shows it. */
  readonly userCode: string
  /** What is known of the device. */
  readonly device: {
    /** Its user agent. */
    readonly agent?: string | undefined
    /** Its address, with the country if known. */
    readonly place?: string | undefined
  }
  readonly target: PageTarget
}

/**
 * Asks whether the device is one's own: a stranger could have sent the code. `Cancel` sends `abort=yes`.
 *
 * @see RFC 8628, section 5.4
 */
export function deviceConfirmPage(
  { client, userCode, device, target }: DeviceConfirmView,
  language: PageLanguage,
): Page {
  const words = wordsOf[language].device
  const facts = [
    { name: words.device, value: device.agent },
    { name: words.place, value: device.place },
  ].flatMap(({ name, value = '' }) => (value === '' ? [] : [{ name, value: shortText(value) }]))
  return {
    status: 200,
    title: words.confirmTitle(appName(client)),
    emblem: emblemOfClient(client),
    parts: [
      { kind: 'text', text: words.compare },
      { kind: 'code', code: shortText(userCode) },
      ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }]),
      { kind: 'warning', text: words.warning },
      {
        kind: 'buttons',
        buttons: [
          { text: words.cancel, name: 'abort', value: 'yes', look: 'plain' },
          { text: words.confirm },
        ],
      },
    ],
    form: target,
  }
}

/** Says that the device may go on. */
export function deviceDonePage(client: ShownClient, language: PageLanguage): Page {
  const { doneTitle, doneText } = wordsOf[language].device
  return {
    status: 200,
    title: doneTitle,
    emblem: emblemOfClient(client),
    parts: [{ kind: 'text', text: doneText(appName(client)) }],
  }
}

/** Says that the device was refused. */
export function deviceDeniedPage(language: PageLanguage): Page {
  const { deniedTitle, deniedText } = wordsOf[language].device
  return { status: 200, title: deniedTitle, parts: [{ kind: 'text', text: deniedText }] }
}
