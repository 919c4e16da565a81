import type { MessageKind } from '../../flow/state.ts'

/** Every message there is. */
export type MessageName = MessageKind | 'signup_taken'

/**
 * The templates of a message, in the language of Go's text/template (`html`: html/template). They are given `.Code`, `.Link`
 * (empty where there is none), `.Minutes` (how long it is good), `.Origin` and `.Channel`.
 */
export interface MessageTexts {
  /** Of a mail. */
  readonly subject?: string
  readonly text: string
  /** Of a mail; without it the mail is plain. */
  readonly html?: string
}

/** Texts by language tag, as `de` or `pt-BR`; what is left out is as in `en`. */
export type MessageTranslations = {
  readonly [language: string]: { readonly [Name in MessageName]?: MessageTexts }
}
