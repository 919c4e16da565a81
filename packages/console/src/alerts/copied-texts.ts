import { type Alert, formatMatcher, type LabelSet } from '@gatehouse/client'

/** The matchers of just these labels, as a filter, a silence or amtool takes them. */
export const matchersOf = (labels: LabelSet): readonly string[] =>
  Object.entries(labels).map(([name, value]) =>
    formatMatcher({ name, value, isRegex: false, isEqual: true }),
  )

/** An alert in plain words, for a chat or a ticket. */
export function textOfAlert({ labels, annotations, startsAt }: Alert): string {
  const lines = (entries: LabelSet): readonly string[] =>
    Object.entries(entries).map(([name, value]) => `${name}: ${value}`)
  const head = `${labels.alertname ?? '-'} (${startsAt})`
  return [head, '', ...lines(annotations), '', ...lines(labels)].join('\n')
}

/**
 * The command that silences alerts with these labels. A shell reads each value as data, and a terminal into which it is pasted
 * gets no control characters; `undefined` if no command can carry a value.
 *
 * @see amtool, `amtool silence add`
 */
export function amtoolCommand(labels: LabelSet, url: string): string | undefined {
  // The arguments of a command end at a NUL.
  if (Object.values(labels).some((value) => value.includes('\0'))) return undefined
  const options = [`--alertmanager.url=${url}`, '--duration=2h', `--comment=${comment}`]
  // No matcher is an option, whatever the name of its label.
  const words = [...options, '--', ...matchersOf(labels)]
  return ['amtool silence add', ...words.map(quoted)].join(' ')
}

const comment = 'from the console'

const plain = /^[\w@%+=:,./-]+$/
/** Characters that a terminal may act on, or that hide. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u
/** With those that would end a word in the form for them, or that a shell looks for before it sees words. */
const escaped = /[\p{Cc}\p{Cf}\u2028\u2029'!\\]/gu

/** A text as one word of a shell: bash, zsh and those of POSIX 2024 know the last form. */
function quoted(text: string): string {
  if (plain.test(text)) return text
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${text.replace(escaped, (one) => [...new TextEncoder().encode(one)].map(octal).join(''))}'`
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`
