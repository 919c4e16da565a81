import { themeStyles } from '../sign-in/src/server/theme.ts'

/** Rules of the document, which is the app's. */
const ofDocument = /^ *html[^{}]*\{[^{}]*\}\n/gm

/**
 * The style sheet of the pages, for what is within an element of the class `gatehouse`: it touches nothing else of an app. The values
 * of the theme yield to any that the app sets at its root; the scheme is the app's.
 */
export function embeddedStyles(styles: string): string {
  const keyframes: string[] = []
  const rules = styles
    .replace(ofDocument, '')
    .replace(/^body \{/m, '& {')
    .replace(/^@keyframes (\w+) (\{.*?^\}\n)/gms, (_, name: string, frames: string) => {
      keyframes.push(`@keyframes gatehouse-${name} ${frames}`)
      return ''
    })
    .replace(/(animation: )(?=[a-z]+ [\d.]+s)/g, '$1gatehouse-')
  const theme = themeStyles({})
    .replace(/^:root/m, ':where(:root)')
    .replace(/^ *color-scheme:.*\n/m, '')
  return `${theme}${keyframes.join('')}.gatehouse {\n${rules}}\n`
}
