import type { MessageKind } from '../flow/state.ts'

/** The names of mails about a change of an account. */
export type NoticeName =
  | 'new_sign_in'
  | 'password_changed'
  | 'address_changed'
  | 'factor_changed'
  | 'api_key_created'
  | 'impersonated'
  | 'deletion_scheduled'

/** The names of all messages. */
export type MessageName = MessageKind | 'signup_taken' | 'invitation' | NoticeName

/**
 * The templates of a message, in the language of Go's text/template (`html`: html/template). Their data are `.Code`, `.Link`
 * (empty without a link), `.Minutes` (the lifetime), `.Lifetime` (the same in words), `.Name` (of the app), `.Origin`, `.Channel`, `.Logo`,
 * `.Accent` and `.OnAccent`; of an invitation also `.Time`, until which it is good; of a mail about a change or a sign-in also `.Device`, `.Place` (a country code), `.PlaceName` (its name in the
 * language of the message), `.Time`, and `.DeleteAt` if the account is to be deleted. All but `.Time`, `.Name` and `.Origin` may be empty.
 */
export interface MessageTexts {
  /** For mails (default: the built-in one). */
  readonly subject?: string
  readonly text: string
  /** For mails; without it the mail is plain text. */
  readonly html?: string
  /** For SMS and WhatsApp (default: `text`). */
  readonly sms?: string
}

/** Texts by BCP 47 tag, such as `de` or `pt-BR`; omitted ones are the built-in ones of the language, else those of `en`. */
export type MessageTranslations = {
  readonly [language: string]: { readonly [Name in MessageName]?: MessageTexts }
}
