import {
  checkMessageTemplate,
  isLanguageTag,
  type MessageName,
  type MessageTexts,
  type MessageTranslations,
  messageNames,
} from '@gatehouse/core/auth'
import {
  built,
  type Fields,
  filledText,
  keyOf,
  mapOf,
  mapping,
  optional,
  parsedText,
  pathFrom,
  required,
  type Schema,
} from '@gatehouse/core/document'
import { fileProblem } from '../config/config-file.ts'
import { messageOf } from '../config/failure.ts'
import type { Files } from '../config/kinds.ts'

/** The template in the named file. A fault in it is reported with its own line. */
const templateFile = (kind: 'text' | 'html'): Schema<string> =>
  parsedText((path, report, { directory, readFile }: Files) => {
    let template: string
    try {
      template = readFile(pathFrom(directory, path))
    } catch (error) {
      return report('unresolved_reference', `cannot be read: ${fileProblem(error)}`)
    }
    try {
      checkMessageTemplate(template, kind)
      return template
    } catch (error) {
      const place = messageOf(error).replace(/^template: \w+:/, `${path}:`)
      return report('out_of_range', `is no template: ${place}`)
    }
  }, filledText)

/** Headers and short messages have no line end, which the file has. */
const oneLine = built(templateFile('text'), (template) => template.replace(/\r?\n$/, ''))

const texts: Schema<MessageTexts> = built(
  mapping(
    {
      subject: optional(oneLine, 'The subject of mails. Default: the built-in one.'),
      text: required(templateFile('text'), 'The plain part of mails.'),
      html: optional(templateFile('html'), 'The HTML part of mails. Default: none.'),
      sms: optional(oneLine, 'SMS and WhatsApp messages. Default: `text`.'),
    },
    { title: 'AuthMessage' },
  ),
  ({ text, ...others }): MessageTexts => ({
    text,
    ...Object.fromEntries(Object.entries(others).filter(([, part]) => part !== undefined)),
  }),
)

const messages = mapping<Readonly<Record<MessageName, MessageTexts | undefined>>>(
  Object.fromEntries(
    messageNames.map((name) => [
      name,
      optional(texts, 'Files with [templates](auth-messages.md#texts-of-your-own).'),
    ]),
  ) as Fields<Readonly<Record<MessageName, MessageTexts | undefined>>>,
  { title: 'AuthMessages' },
)

const language = keyOf((tag, report) =>
  isLanguageTag(tag) ? tag : report('out_of_range', 'must be a language tag such as de or pt-BR'),
)

/** The schema of the section `messages`: templates by language and name. */
export const messagesSection: Schema<MessageTranslations> = built(
  mapOf(language, messages),
  (languages): MessageTranslations =>
    Object.fromEntries(
      [...languages].map(([tag, given]) => [
        tag,
        Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)),
      ]),
    ),
)
