import {
  parseHtmlTemplates,
  parseTemplates,
  renderTemplate,
  type TemplateSet,
} from '@gatehouse/go-template'
import { countryName } from './country-name.ts'
import { defaultMessages } from './default-messages.ts'
import type { MessageName, MessageTexts, MessageTranslations } from './message-texts.ts'

/** The data of a message. */
export interface MessageData {
  readonly code: string
  readonly link: string
  readonly minutes: number
  readonly origin: string
  readonly channel: string
  /** Of a notice; empty if unknown. */
  readonly device?: string
  /** Of a notice: a country code; empty if unknown. */
  readonly place?: string
  /** Of a notice. */
  readonly time?: string
}

/** A rendered message. */
export interface RenderedMessage {
  readonly locale: string
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
}

/** Renders messages in the available languages. */
export type RenderMessage = (
  name: MessageName,
  locales: readonly string[],
  data: MessageData,
) => RenderedMessage

interface ParsedMessage {
  readonly texts: TemplateSet
  readonly html: TemplateSet | undefined
}

/**
 * Reads the templates of messages.
 *
 * @throws {GatehouseError} `TemplateSyntax`
 */
export function createMessages(translations: MessageTranslations = {}): RenderMessage {
  const languages = new Map<string, Map<string, ParsedMessage>>()
  for (const [language, messages] of [
    ['en', defaultMessages],
    ...Object.entries(translations),
  ] as const) {
    const known = languages.get(language.toLowerCase()) ?? new Map<string, ParsedMessage>()
    for (const [name, texts] of Object.entries(messages)) known.set(name, parseMessage(texts))
    languages.set(language.toLowerCase(), known)
  }
  return (name, locales, data) => {
    const locale =
      [...candidates(locales), 'en'].find((one) => languages.get(one)?.has(name)) ?? 'en'
    const message = languages.get(locale)?.get(name)
    if (message === undefined) throw new TypeError(`there is no message "${name}"`)
    return { locale, ...render(message, data, locale) }
  }
}

function parseMessage({ subject = '', text, html }: MessageTexts): ParsedMessage {
  const texts = parseTemplates([
    { name: 'subject', text: subject },
    { name: 'text', text },
  ])
  return {
    texts,
    html: html === undefined ? undefined : parseHtmlTemplates([{ name: 'html', text: html }]),
  }
}

function render(
  { texts, html }: ParsedMessage,
  data: MessageData,
  locale: string,
): Omit<RenderedMessage, 'locale'> {
  const dot = new Map<string, string | number>([
    ['Code', data.code],
    ['Link', data.link],
    ['Minutes', data.minutes],
    ['Origin', data.origin],
    ['Channel', data.channel],
    ['Device', data.device ?? ''],
    ['Place', data.place ?? ''],
    ['PlaceName', countryName(data.place ?? '', locale)],
    ['Time', data.time ?? ''],
  ])
  return {
    // A line break in a subject would start another header.
    subject: renderTemplate(texts, 'subject', { data: dot }).replace(/[\r\n]+/g, ' '),
    text: renderTemplate(texts, 'text', { data: dot }),
    html: html && renderTemplate(html, 'html', { data: dot }),
  }
}

/** `pt-BR` before `pt`, in lower case. */
function candidates(locales: readonly string[]): readonly string[] {
  return locales.slice(0, 10).flatMap((locale) => {
    const tag = locale.toLowerCase()
    const [language = ''] = tag.split('-')
    return [tag, language]
  })
}
