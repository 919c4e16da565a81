import type { Command } from '../command.ts'
import { isLaunchable, letterOf } from './script.ts'

/** A launcher reads byte by byte, so long texts are not sent to it. In bytes of UTF-8. */
const longest = 8_192

/**
 * Whether a launcher can run a command exactly like a new process could, unless it is too long; see {@link createRunMessages}.
 */
export function isLaunchableCommand(command: Command): boolean {
  const { program, args, workdir, env, stdin, live, killLeftovers, mergesOutputs } = command
  if (
    mergesOutputs === true ||
    live ||
    killLeftovers ||
    stdin !== undefined ||
    !program.startsWith('/')
  )
    return false
  if (!isLine(program) || !isLine(workdir)) return false
  let length = program.length
  for (const arg of args) {
    length += arg.length
    if (length > longest || !isLine(arg)) return false
  }
  for (const name of Object.keys(env)) {
    if (!isLaunchable(name) || !isLine(env[name] ?? '')) return false
  }
  return true
}

const isLine = (text: string): boolean => !text.includes('\n') && !text.includes('\0')

/** The messages to a launcher, one command after the other. */
export interface RunMessages {
  /**
   * The lines that run a command for which {@link isLaunchableCommand} is true. `undefined` if they are too long; then nothing
   * has changed.
   *
   * @param folder identifies the command's folder, even if another one had the same path before.
   */
  next(command: Command, folder: string): string | undefined
  /** The lines that restart it. */
  renew(): string
}

/** Creates messages that contain only the changes since the previous command. */
export function createRunMessages(): RunMessages {
  let words: readonly string[] = []
  let folder = ''
  const variables = new Map<string, string>()

  const wordLines = (wanted: readonly string[]): string => {
    const isSame = wanted.length === words.length && wanted.every((word, i) => word === words[i])
    return isSame ? '' : `n\n${wanted.map((word) => `a${word}\n`).join('')}`
  }

  return {
    next({ program, args, workdir, env }, folderNow) {
      const wanted = [program, ...args]
      const place = `${folderNow} ${workdir}`
      const moves = place !== folder
      // A shell that has changed its folder loses this variable.
      const has = (name: string): string | undefined =>
        moves && (name === 'PWD' || name === 'OLDPWD') ? undefined : variables.get(name)
      const unset: string[] = []
      const set: string[] = []

      let lines = wordLines(wanted)
      if (moves) lines += `d${workdir}\n`
      for (const name of variables.keys()) {
        if (Object.hasOwn(env, name)) continue
        unset.push(name)
        lines += `u${name}\n`
      }
      for (const name of Object.keys(env)) {
        const value = env[name]
        if (has(name) === value) continue
        set.push(name)
        lines += `${letterOf.get(name) ?? `e${name}=`}${value}\n`
      }
      lines += 'r\n'
      if (lines.length > longest || Buffer.byteLength(lines) > longest) return undefined

      words = wanted
      folder = place
      for (const name of unset) variables.delete(name)
      for (const name of set) variables.set(name, env[name] ?? '')
      return lines
    },

    renew() {
      const lines = [...variables.keys()].map((name) => `u${name}\n`)
      words = []
      folder = ''
      variables.clear()
      return `${lines.join('')}x\n`
    },
  }
}
