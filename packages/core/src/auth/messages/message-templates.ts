import {
  parseHtmlTemplates,
  parseTemplates,
  renderTemplate,
  type TemplateSet,
} from '@gatehouse/go-template'
import { type Decode, decodeInput, rawText } from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'
import type { Instant } from '../../time/clock.ts'
import type { KnownBrowser } from '../wire/known-browser.ts'
import { type Brand, imageAddress, mailColorOf } from './brand.ts'
import { builtInMessages } from './built-in-messages.ts'
import { countryName } from './country-name.ts'
import type { MessageName, MessageTexts, MessageTranslations } from './message-texts.ts'
import { timeText } from './time-text.ts'
import { filled, type Localization, languagesFor, wordsIn, wordsOf } from './words/languages.ts'

/** The data of a message. */
export interface MessageData {
  readonly code: string
  readonly link: string
  readonly minutes: number
  readonly origin: string
  readonly channel: string
  /** Of a notice. */
  readonly device?: KnownBrowser
  /** Of a notice: a country code; empty if unknown. */
  readonly place?: string
  /** Of a notice, or of an invitation. */
  readonly time?: Instant
  /** Of a notice: when the account is deleted. */
  readonly deleteAt?: Instant | undefined
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

/** What may change while a service runs. */
export interface MessageSettings {
  readonly brand: Brand
  readonly localization: Localization
}

interface ParsedMessage {
  readonly texts: TemplateSet
  readonly html: TemplateSet | undefined
}

/** Templates of messages cannot be longer than this, nor can what they make. */
const maxCharacters = 200_000
const limits = {
  maxSource: maxCharacters,
  maxOutput: maxCharacters,
  maxSteps: 100_000,
  maxDepth: 50,
}

const anyLanguage: MessageSettings = {
  brand: {},
  localization: { fallback_language: 'en', supported_languages: undefined },
}

/**
 * Reads the templates of messages; the built-in ones of a language when they are first needed.
 *
 * @throws {GatehouseError} `TemplateSyntax`
 */
export function createMessages(
  translations: MessageTranslations = {},
  settingsOf: () => MessageSettings = () => anyLanguage,
): RenderMessage {
  const find = createLibrary(translations)
  return (name, wishes, data) => {
    const { brand, localization } = settingsOf()
    for (const locale of languagesFor(wishes, localization)) {
      const message = find(locale, name)
      if (message !== undefined) return { locale, ...render(message, { data, brand, locale }) }
    }
    throw new TypeError(`there is no message "${name}"`)
  }
}

/** Finds templates by language and name: the app's own before the built-in ones. */
function createLibrary(
  translations: MessageTranslations,
): (language: string, name: MessageName) => ParsedMessage | undefined {
  const builtIn = new Map<string, ReturnType<typeof builtInMessages>>()
  const builtInOf = (language: string) => {
    const words = wordsOf.get(language)
    const known = builtIn.get(language) ?? (words && builtInMessages(language, words))
    if (known !== undefined) builtIn.set(language, known)
    return known
  }
  const parsed = new Map<string, ParsedMessage>()
  const keyOf = (language: string, name: string): string => `${language} ${name}`
  for (const [tag, messages] of Object.entries(translations)) {
    const language = tag.toLowerCase()
    const standard = builtInOf(language) ?? builtInOf('en')
    for (const [name, texts] of Object.entries(messages)) {
      const subject = texts.subject ?? standard?.[name as MessageName]?.subject
      parsed.set(
        keyOf(language, name),
        parseMessage({ ...texts, ...(subject === undefined ? {} : { subject }) }),
      )
    }
  }
  return (language, name) => {
    const key = keyOf(language, name)
    const texts = parsed.has(key) ? undefined : builtInOf(language)?.[name]
    if (texts !== undefined) parsed.set(key, parseMessage(texts))
    return parsed.get(key)
  }
}

/** What previews and checks show. */
export const sampleData: MessageData = {
  code: '402918',
  link: 'https://app.example/link?code=A',
  minutes: 5,
  origin: 'https://app.example',
  channel: 'email',
  device: { browser: 'Firefox', system: 'Linux' },
  place: 'NO',
  time: Date.UTC(2026, 2, 4, 10),
  deleteAt: Date.UTC(2026, 3, 3, 10),
}

/**
 * Tries one template of a message on sample data, so that a mistake in it shows before a person needs the message.
 *
 * @throws {GatehouseError} `TemplateSyntax` and the like, with its line; also if it names a value that messages do not have.
 */
export function checkMessageTemplate(template: string, kind: 'text' | 'html'): void {
  const text = decodeInput('template', rawText, template)
  const parse = decodeInput('kind', isHtmlKind, kind) ? parseHtmlTemplates : parseTemplates
  const set = parse([{ name: kind, text }], { limits, missingKey: 'error' })
  const data = dataOf({ data: sampleData, brand: { name: 'App' }, locale: 'en' })
  for (const missing of ['', 'Code', 'Link']) {
    const values = missing === '' ? data : new Map([...data, [missing, '']])
    renderTemplate(set, kind, { data: values })
  }
}

const isHtmlKind: Decode<boolean> = (value) =>
  value === 'html' || (value !== 'text' && refuse('"text" or "html"', value))

function parseMessage({ subject = '', text, html, sms = text }: MessageTexts): ParsedMessage {
  const texts = parseTemplates(
    [
      { name: 'subject', text: subject },
      { name: 'text', text },
      { name: 'sms', text: sms },
    ],
    { limits },
  )
  return {
    texts,
    html:
      html === undefined
        ? undefined
        : parseHtmlTemplates([{ name: 'html', text: html }], { limits }),
  }
}

function render(
  { texts, html }: ParsedMessage,
  given: { readonly data: MessageData; readonly brand: Brand; readonly locale: string },
): Omit<RenderedMessage, 'locale'> {
  const data = dataOf(given)
  const isMail = given.data.channel === 'email'
  return {
    // A line break in a subject would start another header.
    subject: renderTemplate(texts, 'subject', { data }).replace(/[\r\n]+/g, ' '),
    text: renderTemplate(texts, isMail ? 'text' : 'sms', { data }),
    html: html && renderTemplate(html, 'html', { data }),
  }
}

function dataOf({
  data,
  brand,
  locale,
}: {
  readonly data: MessageData
  readonly brand: Brand
  readonly locale: string
}): Map<string, string | number> {
  return new Map<string, string | number>([
    ['Code', data.code],
    ['Link', data.link],
    ['Minutes', data.minutes],
    ['Lifetime', minutesInWords(data.minutes, locale)],
    ['Origin', data.origin],
    ['Channel', data.channel],
    ['Name', brand.name ?? data.origin],
    ['Logo', imageAddress(brand.logo, data.origin)],
    ['Accent', mailColorOf(brand.accent)],
    ['OnAccent', mailColorOf(brand.onAccent)],
    ['Device', deviceName(data.device, locale)],
    ['Place', data.place ?? ''],
    ['PlaceName', countryName(data.place ?? '', locale)],
    ['Time', data.time === undefined ? '' : timeText(data.time, locale)],
    ['DeleteAt', data.deleteAt === undefined ? '' : timeText(data.deleteAt, locale)],
  ])
}

function minutesInWords(minutes: number, language: string): string {
  const [known = 'en'] = Intl.NumberFormat.supportedLocalesOf([language, 'en'])
  const style = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(known, style).format(minutes)
}

/** A browser in the words of a language; empty if nothing is known of it. */
export function deviceName(device: KnownBrowser | undefined, language: string): string {
  const { browser, system } = device ?? {}
  if (browser === undefined || system === undefined) return browser ?? system ?? ''
  return filled(wordsIn(language).browser.named, { browser, system }, language)
}
