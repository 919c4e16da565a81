/** The pages. `callback` is where identity providers lead back to. */
export type PageName = 'login' | 'signup' | 'recovery' | 'account' | 'callback'

/** A flow that a page begins. */
export interface PageFlow {
  readonly type: 'login' | 'signup' | 'signup_login' | 'account_recovery' | 'promote'
  readonly name: string
}

/** A field of a kind of the app's own. */
export interface KindField {
  /** The member of the input. */
  readonly name: string
  readonly label: string
  /** The type of the HTML input (default `text`). */
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'url' | 'number' | undefined
  readonly autocomplete?: string | undefined
}

/** How a kind of the app's own is shown: a heading, fields, and a button. */
export interface KindForm {
  readonly title: string
  readonly fields: readonly KindField[]
}

/** What the server tells its page. All who open the page can read it. */
export interface PageSettings {
  readonly page: PageName
  /** The path of the root of the pages, relative to this one. */
  readonly root: string
  /** The paths of the pages and of the two APIs, below the root. */
  readonly paths: Readonly<Record<PageName, string>>
  readonly api: string
  readonly account: string | undefined
  readonly language: string
  /** Languages to choose from. */
  readonly languages: readonly string[]
  /** Texts that replace those of a language, by its name. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly name: string
  readonly logo: string | undefined
  readonly layout: 'card' | 'split' | 'full'
  readonly links: readonly { readonly label: string; readonly href: string }[]
  readonly flows: Readonly<Partial<Record<PageName, PageFlow>>>
  /** Where to go once people have signed in: an absolute address that the server has checked. */
  readonly after: string
  /** Whether people may be here as guests, who keep their account by signing up. */
  readonly hasGuests: boolean
  /** Whether people with a session must authenticate again. */
  readonly again: boolean
  readonly botProtection: { readonly type: string; readonly siteKey: string } | undefined
  /** The countries whose phone numbers are accepted; all without it. */
  readonly countries: readonly string[] | undefined
  readonly kinds: Readonly<Record<string, KindForm>>
  /** The custom attributes of the account page. */
  readonly attributes: readonly {
    readonly pointer: string
    readonly type?: string | undefined
    readonly enum?: readonly string[] | undefined
    readonly minimum?: number | undefined
    readonly maximum?: number | undefined
    readonly isReadOnly: boolean
  }[]
}

/** The settings that the server has written into the page. */
export function readSettings(): PageSettings {
  const element = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-sign-in"]')
  return JSON.parse(element?.content ?? '{}') as PageSettings
}
