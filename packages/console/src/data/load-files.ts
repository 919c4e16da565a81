import { noteReach } from './live.ts'

/** How often to ask whether the server is back, in ms. */
const everyMs = 1_000
/** If files are missing again this soon after the page was loaded for them, it is not the server that is away. */
const againMs = 15_000
const key = 'gatehouse-loaded-again'

/**
 * Loads files of the console. If the server is away, or has other files by now, it waits for the server and loads the whole page
 * again: a browser may remember that a file could not be loaded, and only the page knows the names of the files of a new version.
 *
 * @throws the failure, if the server answers and loading the page again has not helped.
 */
export async function loadFiles<Files>(load: () => Promise<Files>): Promise<Files> {
  try {
    return await load()
  } catch (error) {
    while (!(await isThere())) {
      noteReach(false)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    const lastAt = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - lastAt < againMs) throw error
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}

const isThere = (): Promise<boolean> =>
  fetch('./', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
