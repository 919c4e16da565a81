import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import {
  type ConfigWarning,
  commandWarnings,
  configWarnings,
  partProblems,
} from './config-warnings.ts'
import { type LoadedApi, loadApi } from './load-api.ts'

/** Probable mistakes in a file that is otherwise valid, in its commands too. */
export const warningsOf = async (loaded: LoadedApi): Promise<readonly ConfigWarning[]> => [
  ...configWarnings(loaded),
  ...(await commandWarnings(loaded)),
]

/** The problems and warnings that `gatehouse check` would print about a file as it is now, one line each. */
export async function findProblems(filename: string): Promise<readonly string[]> {
  try {
    const loaded = await loadApi(filename, createReadFiles())
    const warnings = await warningsOf(loaded)
    return [...partProblems(loaded), ...warnings.map(({ text }) => text)]
  } catch (error) {
    return failureLines(error)
  }
}
