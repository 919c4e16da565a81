import { parseTemplates, renderTemplate } from '@gatehouse/go-template'

/** Keeps a user name from changing the filter around it. @see RFC 4515, section 3 */
const escapeFilterValue = (text: string): string =>
  text.replace(/[\\*()\0]/g, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\${code.padStart(2, '0')}`
  })

/**
 * The filter that finds a user.
 *
 * @throws {GatehouseError} `TemplateSyntax`, `TemplateExecution`
 */
export function searchFilter(template: string, username: string): string {
  const set = parseTemplates([{ name: 'filter', text: template }], { missingKey: 'error' })
  const data = new Map([['Username', escapeFilterValue(username)]])
  return renderTemplate(set, 'filter', { data }).trim()
}
