import { anyText, type Decode, exactly, optional, recordOf } from '../../input/decode.ts'
import { refuseShown } from '../../input/refusal.ts'
import { languageTag } from '../accounts/attribute-formats.ts'
import { messageNames } from './built-in-messages.ts'
import type { MessageName, MessageTexts, MessageTranslations } from './message-texts.ts'

/** Whether a text is a tag of BCP 47, as a language of messages must be. */
export const isLanguageTag = (text: string): boolean => languageTag.matches(text)

const texts = optional(
  exactly<MessageTexts>({
    subject: optional(anyText),
    text: anyText,
    html: optional(anyText),
    sms: optional(anyText),
  }),
)

type Messages = { readonly [Name in MessageName]?: MessageTexts }

const byName = exactly<Messages>(
  Object.fromEntries(messageNames.map((name) => [name, texts])) as {
    readonly [Name in MessageName]: typeof texts
  },
)

const byLanguage = recordOf(byName)

/** Texts of an app. A tag that is none would fail when a person needs the message. */
export const messagesInput: Decode<MessageTranslations> = (value) => {
  const translations = byLanguage(value)
  for (const tag of Object.keys(translations)) {
    if (!isLanguageTag(tag)) refuseShown('a language tag such as de or pt-BR', tag)
  }
  return translations
}
