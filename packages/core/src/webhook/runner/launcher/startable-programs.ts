import { type FileFacts, fileFacts, mayExecute, readStart } from '../pipes/files.ts'

/** Caches whether files can be started as programs. */
export interface StartablePrograms {
  /** False also if only the system knows; then try to start it. */
  has(program: string): boolean
}

interface Known extends FileFacts {
  /** The interpreter of a script. */
  readonly interpreter: string | undefined
}

const maxKnown = 1_000
/** The system reads no further. */
const headLength = 256

/** Creates {@link StartablePrograms}. A file is checked again only after it has changed. */
export function createStartablePrograms(): StartablePrograms {
  const programs = new Map<string, Known>()

  const isKnown = (program: string, facts: FileFacts): boolean => {
    const known = programs.get(program)
    if (known?.identity !== facts.identity || known.changedAt !== facts.changedAt) return false
    return known.interpreter === undefined || isExecutable(known.interpreter)
  }

  return {
    has(program) {
      const facts = fileFacts(program)
      if (facts?.isFile !== true) return false
      if (isKnown(program, facts)) return true
      if (!mayExecute(program)) return false
      const head = readStart(program, headLength)
      if (head === undefined) return false
      const interpreter = interpreterIn(head)
      const isStartable = interpreter === undefined ? isBinary(head) : isExecutable(interpreter)
      if (!isStartable) return false
      if (programs.size >= maxKnown) programs.clear()
      programs.set(program, { ...facts, interpreter })
      return true
    },
  }
}

const isExecutable = (path: string): boolean => fileFacts(path)?.isFile === true && mayExecute(path)

/** An ELF file. */
const isBinary = (head: Uint8Array): boolean =>
  head[0] === 0x7f && head[1] === 0x45 && head[2] === 0x4c && head[3] === 0x46

/** The program of a `#!` line; `undefined` if the file has none. */
function interpreterIn(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString('latin1')
  return /^#![ \t]*([^ \t\n\0]+)/.exec(text)?.[1]
}
