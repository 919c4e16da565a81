/** How many languages of a request are kept. */
export const maxLanguages = 10

/** Whether a text is a language tag. @see BCP 47 */
export const isLanguage = (tag: string): boolean => /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,7}$/i.test(tag)
