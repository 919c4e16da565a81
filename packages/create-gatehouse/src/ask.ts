import { createInterface } from 'node:readline/promises'
import { services } from './app-files.ts'
import { type Arguments, frameworkOf, servicesOf, UsageError } from './arguments.ts'
import { frameworks } from './frameworks.ts'

/** The terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/**
 * Asks for what was not given.
 *
 * @throws {UsageError} if the input ends before an answer.
 */
export async function askAll(given: Arguments, terminal: Terminal): Promise<Arguments> {
  const lines = linesOf(terminal)
  try {
    const folder = given.folder ?? (await ask(lines, 'Folder', 'my-app', (answer) => answer))
    const names = frameworks.map(({ name }) => name)
    const framework =
      given.framework ??
      (await ask(lines, `Framework: ${names.join(', ')}`, names[0] ?? '', frameworkOf))
    const chosen = given.services ?? (await ask(lines, 'Services', services.join(','), servicesOf))
    return { ...given, folder, framework, services: chosen }
  } finally {
    lines.close()
  }
}

/** Asks until the answer is good; an empty one is the default. */
async function ask<T>(
  lines: Lines,
  question: string,
  fallback: string,
  read: (answer: string) => T,
): Promise<T> {
  for (;;) {
    const answer = (await lines.next(`${question} (${fallback}): `)).trim()
    try {
      return read(answer === '' ? fallback : answer)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      lines.say(error.message)
    }
  }
}

interface Lines {
  next(question: string): Promise<string>
  say(text: string): void
  close(): void
}

function linesOf({ input, output }: Terminal): Lines {
  const reader = createInterface({ input, output })
  const ended = new Promise<never>((_, reject) => {
    reader.once('close', () => reject(new UsageError('the input ended; nothing was written')))
  })
  // It is rejected after the last answer, too.
  ended.catch(() => undefined)
  return {
    next: (question) => Promise.race([reader.question(question), ended]),
    say: (text) => output.write(`${text}\n`),
    close: () => reader.close(),
  }
}
