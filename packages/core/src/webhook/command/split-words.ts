/** The reason why a command cannot be split into words. */
export type SplitProblem = 'empty' | 'unterminated_quote' | 'lone_backslash'

/** A command split into words, of which the first is not empty. */
export type Split =
  | { readonly words: readonly [string, ...string[]] }
  | { readonly needsShell: true }
  | { readonly problem: SplitProblem }

interface Word {
  text: string
  /** The part before its first quote or backslash. */
  bare: string
  isQuoted: boolean
}

const piece =
  /(?<blanks>[ \t\r\n]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<plain>[^ \t\r\n'"\\]+)/sy

const operator = /[|&;<>()*?[$`]/
const expansion = /[$`]/
const escapedCharacter = /\\./gs
const assignment = /^[A-Za-z_]\w*=/
const shellWords: ReadonlySet<string> = new Set(['{', '}', '!'])
const reservedWords: ReadonlySet<string> = new Set('if for while until case function [['.split(' '))
/** Commands that exist only in a shell. */
const builtins: ReadonlySet<string> = new Set(
  (
    ': . alias bg break builtin cd command continue declare eval exec exit export fg getopts hash jobs let local popd pushd ' +
    'read readonly return set shift source times trap type ulimit umask unalias unset wait'
  ).split(' '),
)

/** In double quotes, a backslash escapes only special characters. */
function unquoteDouble(text: string): string {
  return text.replace(/\\(["\\$`\n])/g, (_, character) => (character === '\n' ? '' : character))
}

function isShellPiece(groups: Partial<Record<string, string>>, startsWord: boolean): boolean {
  const { plain = '', double = '' } = groups
  if (operator.test(plain) || (startsWord && /^[~#]/.test(plain))) return true
  return expansion.test(double.replace(escapedCharacter, ''))
}

function isShellWord({ text, bare, isQuoted }: Word, isFirst: boolean): boolean {
  if (!isQuoted && shellWords.has(bare)) return true
  if (!isFirst) return false
  return assignment.test(bare) || builtins.has(text) || (!isQuoted && reservedWords.has(bare))
}

function extend(word: Word | undefined, groups: Partial<Record<string, string>>): Word | undefined {
  const { plain, single, double, escaped } = groups
  // A backslash at the end of a line is removed with it.
  if (escaped === '\n') return word
  const before = word ?? { text: '', bare: '', isQuoted: false }
  if (plain !== undefined) {
    const bare = before.isQuoted ? before.bare : before.bare + plain
    return { ...before, text: before.text + plain, bare }
  }
  const text = before.text + (single ?? escaped ?? unquoteDouble(double ?? ''))
  return { ...before, text, isQuoted: true }
}

/**
 * Splits a command as a shell does, without a shell: blanks separate words, quotes and backslashes keep characters. Trailing
 * white space must be removed already.
 *
 * @param detectsShell whether to report shell syntax instead of treating it as plain text.
 * @see POSIX, Shell Command Language, section 2.2
 */
export function splitWords(text: string, detectsShell: boolean): Split {
  const words: Word[] = []
  let word: Word | undefined
  let hasLineBreak = false
  const endWord = (): boolean => {
    if (word === undefined) return false
    words.push(word)
    return isShellWord(word, words.length === 1)
  }
  let at = 0
  while (at < text.length) {
    piece.lastIndex = at
    const groups = piece.exec(text)?.groups
    if (groups === undefined) {
      return { problem: text.charAt(at) === '\\' ? 'lone_backslash' : 'unterminated_quote' }
    }
    at = piece.lastIndex
    if (groups.blanks !== undefined) {
      if (endWord() && detectsShell) return { needsShell: true }
      word = undefined
      hasLineBreak ||= words.length > 0 && groups.blanks.includes('\n')
      continue
    }
    if (detectsShell && isShellPiece(groups, word === undefined)) return { needsShell: true }
    word = extend(word, groups)
    if (detectsShell && hasLineBreak && word !== undefined) return { needsShell: true }
  }
  if (endWord() && detectsShell) return { needsShell: true }
  const [first, ...others] = words.map((found) => found.text)
  return first === undefined || first === '' ? { problem: 'empty' } : { words: [first, ...others] }
}
