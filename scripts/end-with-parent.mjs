/** How often the parent is looked at, in ms. */
const everyMs = 250

/**
 * Ends this program as SIGTERM does when its parent ends. npm passes a signal on to the shell that runs a script, and the
 * shell ends by it without a word to the program it waits for.
 */
export function endWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, everyMs)
  timer.unref()
}
