import { type ConfigProblem, formatConfigProblems } from '@gatehouse/core/config'
import type { DocumentProblem } from '@gatehouse/core/document'
import { isGatehouseError } from '@gatehouse/core/store'
import { badUsage } from './exit-codes.ts'
import { failureLines, Refused } from './failure.ts'

/** A problem of a file, from any decoder. */
export type FileProblem = Omit<DocumentProblem, 'code'>

/** Collects the problems of a file and of the files it names, to report them together. */
export interface Refusals {
  /** Adds problems of the file itself. */
  add(problems: readonly FileProblem[]): void
  /**
   * Returns the result of `read`; `undefined` if it fails, and then adds its problems. Problems of other files are reported after
   * those of this one.
   *
   * @param path the place in this file that the paths of the problems are relative to.
   */
  of<T>(read: () => T | Promise<T>, path?: string): Promise<T | undefined>
  /**
   * @param more lines to add after the problems. They alone refuse nothing.
   * @throws {Refused} if there are problems.
   */
  throwIfAny(more?: readonly string[]): void
}

/** Starts to collect the problems of a file. */
export function createRefusals(filename: string): Refusals {
  const own: FileProblem[] = []
  const others: string[] = []
  const exitCodes = new Set<number>()
  return {
    add: (problems) => void own.push(...problems),
    async of(read, path = '') {
      try {
        return await read()
      } catch (error) {
        const problems = problemsOf(error, filename)
        if (problems === undefined) {
          others.push(...failureLines(error))
          exitCodes.add(error instanceof Refused ? error.exitCode : badUsage)
        } else {
          const elsewhere = problems.filter(({ file }) => file !== undefined)
          others.push(...formatConfigProblems(filename, elsewhere))
          const here = problems.filter(({ file }) => file === undefined)
          own.push(...here.map((problem) => ({ ...problem, path: join(path, problem.path) })))
        }
        return undefined
      }
    },
    throwIfAny(more = []) {
      if (own.length === 0 && others.length === 0) return
      const lines = own.toSorted(byPlace).map((problem) => problemLine(problem, filename))
      const [exitCode = badUsage] = own.length === 0 && exitCodes.size === 1 ? exitCodes : []
      throw new Refused([...lines, ...others, ...more], exitCode)
    },
  }
}

/** The problems of a refused configuration inside this file. */
function problemsOf(error: unknown, filename: string): readonly ConfigProblem[] | undefined {
  if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') return undefined
  const { problems, filename: named } = error.info
  return named === filename && Array.isArray(problems) ? problems : undefined
}

const join = (before: string, path: string): string =>
  [before, path].filter((part) => part !== '').join('.')

const lineOf = ({ line = 1 }: FileProblem): number => line
const columnOf = ({ column = 1 }: FileProblem): number => column

const byPlace = (one: FileProblem, other: FileProblem): number =>
  lineOf(one) - lineOf(other) || columnOf(one) - columnOf(other)

/** A problem as `FILE:LINE:COLUMN PATH: text`. */
export function problemLine(
  { path, line = 1, column = 1, message }: FileProblem,
  filename: string,
): string {
  const place = [`${filename}:${line}:${column}`, path].filter((part) => part !== '').join(' ')
  return `${place}: ${message.replaceAll('\n', ' ')}`
}
