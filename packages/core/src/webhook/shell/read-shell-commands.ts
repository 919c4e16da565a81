import {
  type Expansion,
  expansionsOf,
  literalWord,
  type ShellCommand,
  type ShellWord,
} from './shell-command.ts'
import { ShellReader } from './shell-reader.ts'

type Draft = { -readonly [Key in keyof ShellCommand]: Mutable<ShellCommand[Key]> }
type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T

interface HereDocument {
  readonly delimiter: string
  readonly stripsTabs: boolean
  readonly expands: boolean
  readonly command: Draft
}

/** Words before a command, which follows them. */
const openers: ReadonlySet<string> = new Set(
  '! if then elif else while until do time coproc'.split(' '),
)
const closers: ReadonlySet<string> = new Set(['fi', 'done'])
const assignment = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/
const operator = /<<<|<<-?|<>|>\||[<>]{1,2}&?|&>>?/y

/** Reads the commands of one list: a text, or a substitution in it. */
class ListReader {
  readonly #reader: ShellReader
  readonly #commands: ShellCommand[] = []
  #draft: Draft = emptyDraft()
  #before: ShellCommand | undefined = undefined
  /** The use of the next word after a redirection. */
  #next: 'target' | 'input' | undefined = undefined
  #documents: HereDocument[] = []
  #parentheses = 0
  /** The open braces; `true` for the body of a function. */
  readonly #braces: boolean[] = []
  #isFunctionNext = false
  /** The open `case` commands; `true` where a pattern is expected. */
  readonly #cases: boolean[] = []

  constructor(reader: ShellReader) {
    this.#reader = reader
  }

  read(end?: ')' | '`'): readonly ShellCommand[] {
    const reader = this.#reader
    while (!reader.isAtEnd) {
      if (end === '`' && reader.isBackquoteEnd()) break
      if (end === ')' && reader.peek() === ')' && this.#parentheses === 0 && !this.#isPattern())
        break
      this.#readNext(reader.peek())
    }
    reader.at += 1
    this.#endCommand(false)
    return this.#commands
  }

  #isPattern(): boolean {
    return this.#cases.at(-1) === true
  }

  /** Whether `[[` is open, where operators are part of the command. */
  #isInTest(): boolean {
    const { words } = this.#draft
    return words[0]?.literal === '[[' && words.at(-1)?.literal !== ']]'
  }

  #readNext(character: string): void {
    const reader = this.#reader
    if (/[ \t\r]/.test(character)) reader.at += 1
    else if (character === '\\' && reader.peek(1) === '\n') reader.at += 2
    else if (character === '#') this.#skipComment()
    else if (this.#isInTest() && /[&|()<>;]/.test(character)) reader.at += 1
    else if (character === '\n') this.#readLineBreak()
    else if (/[<>]/.test(character) && reader.peek(1) === '(') this.#readProcess()
    else if (/[<>]/.test(character) || /^&>/.test(`${character}${reader.peek(1)}`)) {
      this.#readRedirection()
    } else if (/[;&|]/.test(character)) this.#readSeparator(character)
    else if (character === '(') this.#open()
    else if (character === ')') this.#close()
    else this.#readWord()
  }

  #skipComment(): void {
    const end = this.#reader.text.indexOf('\n', this.#reader.at)
    this.#reader.at = end < 0 ? this.#reader.text.length : end
  }

  /** The word `in` of `case` may stand on the next line. */
  #readLineBreak(): void {
    if (this.#draft.words[0]?.literal !== 'case') this.#endCommand(false, true)
    this.#reader.at += 1
    const documents = this.#documents
    this.#documents = []
    for (const document of documents) this.#readDocument(document)
  }

  #readSeparator(character: string): void {
    const reader = this.#reader
    const isDouble = reader.peek(1) === character
    const isTerminator = character === ';' && (isDouble || reader.peek(1) === '&')
    if (this.#isPattern() && character === '|') {
      reader.at += 1
      return
    }
    this.#endCommand(character === '|' && !isDouble)
    reader.at += isDouble || isTerminator || reader.match(/\|&/y) !== undefined ? 2 : 1
    if (isTerminator && reader.peek() === '&') reader.at += 1
    if (isTerminator && this.#cases.length > 0) this.#cases[this.#cases.length - 1] = true
  }

  #open(): void {
    const reader = this.#reader
    const isFunction = reader.match(/\(\s*\)/y)
    if (isFunction !== undefined && this.#draft.words.length > 0) {
      reader.at += isFunction.length
      this.#draft = emptyDraft()
      this.#isFunctionNext = true
      return
    }
    if (!this.#isPattern()) {
      this.#endCommand(false, true)
      this.#parentheses += 1
    }
    reader.at += 1
  }

  #close(): void {
    this.#reader.at += 1
    if (this.#isPattern()) {
      this.#draft = emptyDraft()
      this.#cases[this.#cases.length - 1] = false
      return
    }
    this.#endCommand(false)
    this.#parentheses = Math.max(0, this.#parentheses - 1)
  }

  /** The name of a process substitution is a word without values. */
  #readProcess(): void {
    const reader = this.#reader
    reader.at += 2
    readList(reader, ')')
    this.#addWord(literalWord('/dev/fd'))
  }

  #readRedirection(): void {
    const reader = this.#reader
    const found = reader.match(operator) ?? reader.peek()
    reader.at += found.length
    const isDocument = found === '<<' || found === '<<-'
    if (!isDocument) {
      this.#next = found === '<<<' ? 'input' : 'target'
      return
    }
    reader.at += reader.match(/[ \t]*/y)?.length ?? 0
    const { text, literal, isQuoted } = reader.readWord()
    const delimiter = literal ?? text
    const command = this.#draft
    this.#documents.push({ delimiter, stripsTabs: found === '<<-', expands: !isQuoted, command })
  }

  #readDocument({ delimiter, stripsTabs, expands, command }: HereDocument): void {
    const reader = this.#reader
    while (!reader.isAtEnd) {
      const end = reader.text.indexOf('\n', reader.at)
      const next = end < 0 ? reader.text.length : end + 1
      const line = reader.text.slice(reader.at, end < 0 ? undefined : end)
      if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) {
        reader.at = next
        return
      }
      while (expands && reader.at < next) {
        const expansion = reader.peek() === '\\' ? undefined : reader.readExpansion(true)
        if (expansion === undefined) reader.at += reader.peek() === '\\' ? 2 : 1
        else command.input.push(expansion)
      }
      reader.at = Math.max(reader.at, next)
    }
  }

  #readWord(): void {
    const reader = this.#reader
    const word = reader.readWord()
    if (/^\d+$/.test(word.text) && /[<>]/.test(reader.peek())) return
    const [, list] = /^([A-Za-z_]\w*)\+?=$/.exec(word.text) ?? []
    if (list !== undefined && reader.peek() === '(') this.#readArray(list)
    else if (word.text !== '' || word.isQuoted) this.#addWord(word)
    // A backquote that ends nothing.
    else reader.at += 1
  }

  /** Elements of an array are split like arguments. */
  #readArray(name: string): void {
    const reader = this.#reader
    const elements: ShellWord[] = []
    reader.at += 1
    while (!reader.isAtEnd && reader.peek() !== ')') {
      if (reader.isWordEnd()) reader.at += 1
      else elements.push(reader.readWord())
    }
    reader.at += 1
    const words = [literalWord('declare'), ...elements]
    const assignments = elements.map((word) => ({ name, word }))
    this.#commands.push({ ...emptyDraft(), words, assignments })
  }

  #addWord(word: ShellWord): void {
    const draft = this.#draft
    const next = this.#next
    this.#next = undefined
    if (next === 'target') draft.targets.push(word)
    else if (next === 'input') draft.input.push(...word.expansions)
    else this.#addPart(draft, word)
  }

  #addPart(draft: Draft, word: ShellWord): void {
    const [, name] = assignment.exec(word.text) ?? []
    if (draft.words.length === 0 && name !== undefined) {
      draft.assignments.push({ name, word })
      return
    }
    draft.words.push(word)
    const { words } = draft
    if (words.length === 1 && !word.isQuoted) this.#readReserved(word.literal ?? '')
    if (words[0]?.literal === 'function' && words.length === 2) {
      this.#draft = emptyDraft()
      this.#isFunctionNext = true
    }
    if (words[0]?.literal === 'case' && words.length === 3) {
      draft.isWhole = true
      this.#endCommand(false)
      this.#cases.push(true)
    }
  }

  #readReserved(word: string): void {
    if (word === '{') {
      this.#braces.push(this.#isFunctionNext)
      this.#isFunctionNext = false
    } else if (word === '}') this.#braces.pop()
    else if (word === 'esac') this.#cases.pop()
    else if (!openers.has(word) && !closers.has(word)) return
    this.#draft.words = []
  }

  #endCommand(isPiped: boolean, keepsPipe = false): void {
    const draft = this.#draft
    const { words, assignments, targets, input } = draft
    const isEmpty = words.length + assignments.length + targets.length + input.length === 0
    const hasDocument = this.#documents.some(({ command }) => command === draft)
    let last = this.#commands.at(-1)
    if (!isEmpty || hasDocument) {
      draft.readsFrom = this.#before
      draft.isInFunction = this.#braces.includes(true)
      draft.isWhole ||= words[0]?.literal === '[['
      this.#commands.push(draft)
      this.#draft = emptyDraft()
      last = draft
    }
    if (isPiped) this.#before = last
    else if (!(keepsPipe && isEmpty)) this.#before = undefined
  }
}

function emptyDraft(): Draft {
  return {
    words: [],
    assignments: [],
    targets: [],
    input: [],
    readsFrom: undefined,
    isWhole: false,
    isInFunction: false,
  }
}

function readList(reader: ShellReader, end?: ')' | '`'): Expansion['commands'] {
  return new ListReader(reader).read(end)
}

/** The commands in a text, and those in its substitutions. */
function withNested(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  return commands.flatMap((command) => [
    command,
    ...withNested(expansionsOf(command).flatMap((one) => one.commands)),
  ])
}

/**
 * Reads the simple commands of a shell text, with those inside of groups, compound commands and substitutions. It need not be
 * right about every text, because the shell decides in the end.
 *
 * @see POSIX, Shell Command Language, sections 2.3 to 2.10
 */
export function readShellCommands(text: string): readonly ShellCommand[] {
  return withNested(readList(new ShellReader(text, readList)))
}
