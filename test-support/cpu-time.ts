/**
 * The CPU time of this process, in ms. Tests that bound the cost of work use it, because wall-clock time grows with other load on
 * the machine. It grows too, up to threefold where cores are shared: a bound leaves room for that, and what is not linear would take
 * far longer.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
