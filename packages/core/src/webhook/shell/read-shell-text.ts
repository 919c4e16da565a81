import {
  type Expansion,
  expansionsOf,
  literalWord,
  type ShellCommand,
  type ShellWord,
} from './shell-command.ts'
import { ShellReader, type ShellTraits } from './shell-reader.ts'

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
const operator = /<<<|<<-?|<>|>\||[<>]{1,2}&?/y

/** The words at the end of a text, after the last separator, without targets of redirections. */
export interface ShellTail {
  words: ShellWord[]
  /** Whether a group stands among them, so that they are no simple command. */
  hasGroup: boolean
}

/** A shell text, as far as it matters which values it expands, and where more words may follow. */
export interface ShellText extends Readonly<ShellTraits> {
  /** The simple commands, also those inside of groups, compound commands and substitutions. */
  readonly commands: readonly ShellCommand[]
  readonly tail: Readonly<ShellTail>
}

/** Reads the commands of one list: a text, or a substitution in it. */
class ListReader {
  readonly #reader: ShellReader
  readonly #commands: ShellCommand[] = []
  #draft: Draft = emptyDraft()
  #before: ShellCommand | undefined = undefined
  /** The use of the next word after a redirection. */
  #next: 'target' | 'output' | 'input' | undefined = undefined
  #documents: HereDocument[] = []
  readonly tail: ShellTail = { words: [], hasGroup: false }
  /** The open parentheses; `true` for the body of a function. */
  readonly #parentheses: boolean[] = []
  /** The open braces; `true` for the body of a function. */
  readonly #braces: boolean[] = []
  #isFunctionNext = false
  /** The open `case` commands; `true` where a pattern is expected. */
  readonly #cases: boolean[] = []

  constructor(reader: ShellReader) {
    this.#reader = reader
  }

  read(end?: ')'): readonly ShellCommand[] {
    const reader = this.#reader
    const isClosed = (): boolean =>
      reader.peek() === end && this.#parentheses.length === 0 && !this.#isPattern()
    while (!reader.isAtEnd && !isClosed()) this.#readNext(reader.peek())
    if (reader.isAtEnd && (end !== undefined || this.#parentheses.length > 0)) {
      reader.leaveOpen('group')
    }
    reader.at += 1
    this.#endCommand(false)
    for (const isFunction of [...this.#braces, ...this.#parentheses]) {
      if (isFunction) reader.functions -= 1
    }
    return this.#commands
  }

  /** Ends the words that more words could follow. */
  #endTail(): void {
    if (this.#parentheses.length > 0) return
    this.tail.words = []
    this.tail.hasGroup = false
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
    else if (/[<>]/.test(character)) this.#readRedirection()
    else if (/[;&|]/.test(character)) this.#readSeparator(character)
    else if (character === '(') this.#open()
    else if (character === ')') this.#close()
    else this.#readWord()
  }

  #skipComment(): void {
    this.#reader.traits.hasComment = true
    const end = this.#reader.text.indexOf('\n', this.#reader.at)
    this.#reader.at = end < 0 ? this.#reader.text.length : end
  }

  /** The word `in` of `case` may stand on the next line. */
  #readLineBreak(): void {
    this.#endTail()
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
    this.#endTail()
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
    this.tail.hasGroup ||= this.#parentheses.length === 0
    const [name] = this.#draft.words
    if (isFunction !== undefined && name !== undefined) {
      reader.at += isFunction.length
      this.#define(name)
      return
    }
    if (!this.#isPattern()) {
      this.#endCommand(false, true)
      this.#enter(this.#parentheses)
    }
    reader.at += 1
  }

  /** Notes the name of a function, whose body follows. */
  #define(name: ShellWord): void {
    this.#commands.push({ ...emptyDraft(), words: [literalWord('function'), name] })
    this.#draft = emptyDraft()
    this.#isFunctionNext = true
  }

  #enter(groups: boolean[]): void {
    groups.push(this.#isFunctionNext)
    if (this.#isFunctionNext) this.#reader.functions += 1
    this.#isFunctionNext = false
  }

  #leave(groups: boolean[]): void {
    if (groups.pop() === true) this.#reader.functions -= 1
  }

  #close(): void {
    this.#reader.at += 1
    if (this.#isPattern()) {
      this.#draft = emptyDraft()
      this.#cases[this.#cases.length - 1] = false
      this.#endTail()
      return
    }
    if (this.#parentheses.length === 0) this.#endTail()
    this.#endCommand(false)
    this.#leave(this.#parentheses)
  }

  /** The name of a process substitution is one word. */
  #readProcess(): void {
    const reader = this.#reader
    const start = reader.at
    this.tail.hasGroup ||= this.#parentheses.length === 0
    reader.at += 2
    const expansion = reader.substitutionOf(readList(reader, ')'), start)
    this.#addWord({
      ...literalWord(expansion.written),
      literal: undefined,
      expansions: [expansion],
    })
  }

  #readRedirection(): void {
    const reader = this.#reader
    const found = reader.match(operator) ?? reader.peek()
    reader.at += found.length
    const isDocument = found === '<<' || found === '<<-'
    if (!isDocument) {
      this.#next = found === '<<<' ? 'input' : found.includes('>') ? 'output' : 'target'
      return
    }
    reader.at += reader.match(/[ \t]*/y)?.length ?? 0
    const { text, literal, isQuoted } = reader.readWord()
    const delimiter = literal ?? text
    const command = this.#draft
    reader.traits.hasHereDocument = true
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
    else if (word.text !== '') this.#addWord(word)
  }

  /** Elements of an array are split like arguments. */
  #readArray(name: string): void {
    const reader = this.#reader
    const elements: ShellWord[] = []
    this.tail.hasGroup ||= this.#parentheses.length === 0
    reader.at += 1
    while (!reader.isAtEnd && reader.peek() !== ')') {
      if (reader.isWordEnd()) reader.at += 1
      else elements.push(reader.readWord())
    }
    if (reader.isAtEnd) reader.leaveOpen('group')
    reader.at += 1
    const words = [literalWord('declare'), ...elements]
    const assignments = elements.map((word) => ({ name, word }))
    this.#commands.push({ ...emptyDraft(), words, assignments })
  }

  #addWord(word: ShellWord): void {
    const draft = this.#draft
    const next = this.#next
    this.#next = undefined
    if (next === 'output') draft.outputs.push(word)
    if (next === 'target' || next === 'output') draft.targets.push(word)
    else if (next === 'input') draft.input.push(...word.expansions)
    else {
      if (this.#parentheses.length === 0) this.tail.words.push(word)
      this.#addPart(draft, word)
    }
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
    if (words[0]?.literal === 'function' && words.length === 2) this.#define(word)
    if (words[0]?.literal === 'case' && words.length === 3) {
      draft.isWhole = true
      this.#endCommand(false)
      this.#cases.push(true)
    }
  }

  #readReserved(word: string): void {
    if (word === '{') this.#enter(this.#braces)
    else if (word === '}') this.#leave(this.#braces)
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
    outputs: [],
    input: [],
    readsFrom: undefined,
    isWhole: false,
  }
}

function readList(reader: ShellReader, end?: ')'): Expansion['commands'] {
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
 * Reads a shell text. Runs nothing, and need not be right about every text, because the shell decides in the end.
 *
 * @see POSIX, Shell Command Language, sections 2.2 to 2.10
 */
export function readShellText(text: string): ShellText {
  const reader = new ShellReader(text, readList)
  const list = new ListReader(reader)
  const commands = withNested(list.read())
  return { ...reader.traits, commands, tail: list.tail }
}
