import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { messageOf } from '../config/failure.ts'
import { paintError } from '../log/color.ts'

/** A question, which a flag may answer. */
export interface Question<T> {
  /** The flag, such as `--listen`. */
  readonly flag: string
  readonly text: string
  /** The value of the flag. */
  readonly given: string | undefined
  /** The answer to an empty line, and with `--yes`. Absent: it must be answered. */
  readonly fallback?: string
  /** Whether a terminal must not show the answer. */
  readonly isSecret?: boolean
  /** @throws {Error} for an answer that cannot be used. */
  readonly parse: (answer: string) => T
}

/** Asks questions, one after the other. */
export interface Asker {
  /** @throws {Error} if the flag is wrong, or there is no answer. */
  ask<T>(question: Question<T>): Promise<T>
  close(): void
}

/** Exit code of a program that was ended by SIGINT. */
const interrupted = 130

/**
 * Asks on standard error and reads answers from standard input, a line each.
 *
 * @param takesDefaults whether nothing is asked: an answer is the flag, else the default.
 */
export function createAsker(takesDefaults: boolean): Asker {
  const lines = takesDefaults ? undefined : createLines()
  const prompt = async <T>({ flag, text, fallback, isSecret, parse }: Question<T>): Promise<T> => {
    const hint = fallback === undefined || fallback === '' ? '' : ` [${fallback}]`
    const note = isSecret === true ? ' (not shown)' : ''
    for (;;) {
      const line = (await lines?.next(`${text}${note}${hint}: `, isSecret))?.trim()
      if (line === undefined) {
        throw new Error(
          `no answer to "${text}": answer it with ${flag}, take the defaults with --yes, or run this on a terminal`,
        )
      }
      const answer = line === '' ? fallback : line
      try {
        if (answer !== undefined) return parse(answer)
        throw new Error('an answer is needed')
      } catch (error) {
        process.stderr.write(`  ${paintError('bad', messageOf(error))}\n`)
      }
    }
  }
  return {
    async ask(question) {
      const { flag, given, fallback, parse } = question
      if (given === undefined && !takesDefaults) return prompt(question)
      const answer = given ?? fallback
      if (answer === undefined) throw new Error(`${flag} is needed: ${question.text}`)
      try {
        return parse(answer)
      } catch (error) {
        throw new Error(`${flag}: ${messageOf(error)}`, { cause: error })
      }
    },
    close: () => lines?.close(),
  }
}

interface Lines {
  /** The next line; `undefined` at the end of the input. */
  next(prompt: string, isSecret?: boolean): Promise<string | undefined>
  close(): void
}

/** Reads lines, also those of a pipe, which arrive before their questions. */
function createLines(): Lines {
  let isHidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk)
      done()
    },
  })
  const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  const reader = createInterface({ input: process.stdin, output, terminal })
  reader.on('SIGINT', () => {
    process.stderr.write('\n')
    process.exit(interrupted)
  })
  const read = reader[Symbol.asyncIterator]()
  return {
    async next(prompt, isSecret = false) {
      reader.setPrompt(prompt)
      reader.prompt()
      isHidden = terminal && isSecret
      const { value, done } = await read.next()
      if (isHidden || (!terminal && !done)) process.stderr.write('\n')
      isHidden = false
      return done === true ? undefined : value
    },
    close: () => reader.close(),
  }
}
