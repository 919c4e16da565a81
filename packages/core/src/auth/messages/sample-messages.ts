import { type Decode, decodeInput, exactly, optional } from '../../input/decode.ts'
import { type Brand, brandInput } from './brand.ts'
import { messageNames } from './built-in-messages.ts'
import { createMessages, sampleData } from './message-templates.ts'
import type { MessageName, MessageTranslations } from './message-texts.ts'
import { messagesInput } from './messages-input.ts'
import { isRightToLeft, wordsOf } from './words/languages.ts'

/** What to make samples of. */
export interface SampleOptions {
  /** Texts of the app, as `createAuth()` takes them (default: the built-in ones). */
  readonly messages?: MessageTranslations | undefined
  readonly brand?: Brand | undefined
}

/** A message as its reader would get it. */
export interface SampleMessage {
  readonly language: string
  readonly isRightToLeft: boolean
  readonly name: MessageName
  /** What it has for its reader to use. */
  readonly form: 'code' | 'link'
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
  /** As an SMS; `undefined` for messages that are only mails. */
  readonly sms: string | undefined
}

const sampleOptions: Decode<SampleOptions> = exactly<SampleOptions>({
  messages: optional(messagesInput),
  brand: optional(brandInput),
})

/** Messages about codes; the others are mails, with a link. */
const isProof = (name: MessageName): boolean => /_oob$|^verification$|^forgot_password$/.test(name)

/**
 * All messages in all languages, on sample data: for people who check them before users get one.
 *
 * @throws {GatehouseError} `InvalidInput`; `TemplateSyntax` and the like.
 */
export function sampleMessages(given: SampleOptions = {}): readonly SampleMessage[] {
  const { messages = {}, brand = {} } = decodeInput('options', sampleOptions, given)
  const languages = new Set([
    ...wordsOf.keys(),
    ...Object.keys(messages).map((tag) => tag.toLowerCase()),
  ])
  const localization = { fallback_language: 'en', supported_languages: undefined }
  const render = createMessages(messages, () => ({ brand, localization }))
  const sampleOf = (language: string, name: MessageName, form: 'code' | 'link'): SampleMessage => {
    const data = { ...sampleData, ...(form === 'code' ? { link: '' } : { code: '' }) }
    const { subject, text, html } = render(name, [language], data)
    const sms = isProof(name)
      ? render(name, [language], { ...data, channel: 'sms' }).text
      : undefined
    return {
      language,
      isRightToLeft: isRightToLeft(language),
      name,
      form,
      subject,
      text,
      html,
      sms,
    }
  }
  return [...languages].flatMap((language) =>
    messageNames.flatMap((name) =>
      (isProof(name) ? (['code', 'link'] as const) : (['link'] as const)).map((form) =>
        sampleOf(language, name, form),
      ),
    ),
  )
}
