// What two rows of times say of whether they are of one kind.

/**
 * @param {readonly number[]} values at least one
 * @param {number} share from 0 to 1
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/**
 * Welch's t: how many standard errors the means are apart. Beyond 3 or so they hardly are by chance.
 *
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
export function welch(one, other) {
  const [a, b] = [momentsOf(one), momentsOf(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length)
}

/** How far the mean of so many values is from that of all there could be, one standard deviation. @param {readonly number[]} values */
export function standardError(values) {
  return Math.sqrt(momentsOf(values).variance / values.length)
}

/** @param {readonly number[]} values */
function momentsOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

/**
 * The test of Mann and Whitney: how often a time of the one row is shorter than one of the other (0.5: as often as longer), and how
 * many standard deviations that is from chance. It does not care for the few that took very long.
 *
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
export function mannWhitney(one, other) {
  const all = [
    ...one.map((value) => ({ value, own: 1 })),
    ...other.map((value) => ({ value, own: 0 })),
  ]
  all.sort((a, b) => a.value - b.value)
  let rankSum = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end].value === all[start].value) end++
    // Those that are equal share the mean of their ranks.
    const rank = (start + 1 + end) / 2
    for (let index = start; index < end; index++) rankSum += all[index].own * rank
    start = end
  }
  const pairs = one.length * other.length
  const greater = rankSum - (one.length * (one.length + 1)) / 2
  const deviation = Math.sqrt((pairs * (all.length + 1)) / 12)
  return { shorter: 1 - greater / pairs, z: (greater - pairs / 2) / deviation }
}
