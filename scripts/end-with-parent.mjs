/** How often to check the parent, in ms. */
const everyMs = 250

/**
 * Ends this program as SIGTERM does when its parent ends. npm passes a signal on to the shell that runs a script, and the shell
 * ends without passing it to the program.
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
