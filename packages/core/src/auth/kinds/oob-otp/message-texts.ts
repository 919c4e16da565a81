import type { MessageKind } from '../../flow/state.ts'

/** The names of all messages. */
export type MessageName = MessageKind | 'signup_taken' | NoticeName

/** The names of mails about a change of an account. */
export type NoticeName = 'new_sign_in' | 'password_changed' | 'address_changed' | 'factor_changed'

/**
 * The templates of a message, in the language of Go's text/template (`html`: html/template). Their data are `.Code`, `.Link`
 * (empty without a link), `.Minutes` (the lifetime), `.Origin` and `.Channel`; of a mail about a change or a sign-in also
 * `.Device`, `.Place` (a country code), `.PlaceName` (its name in the language of the message) and `.Time`; all but the last may be empty.
 */
export interface MessageTexts {
  /** For mails. */
  readonly subject?: string
  readonly text: string
  /** For mails; without it the mail is plain text. */
  readonly html?: string
}

/** Texts by language tag, such as `de` or `pt-BR`; omitted ones are those of `en`. */
export type MessageTranslations = {
  readonly [language: string]: { readonly [Name in MessageName]?: MessageTexts }
}
