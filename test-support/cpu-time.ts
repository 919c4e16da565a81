/**
 * The CPU time of this process, in ms. A test that bounds the cost of some work measures it so, because the time on the
 * wall grows with whatever else the machine does.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
