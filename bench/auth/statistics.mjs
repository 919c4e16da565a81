// Statistics that say whether two series of times differ.

/**
 * @param {readonly number[]} values at least one
 * @param {number} share from 0 to 1
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/**
 * Welch's t: how many standard errors the means are apart. Above about 3, chance is an unlikely explanation.
 *
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
export function welch(one, other) {
  const [a, b] = [momentsOf(one), momentsOf(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length)
}

/** The standard error of the mean. @param {readonly number[]} values */
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
 * The Mann-Whitney test: how often a time of one series is shorter than one of the other (0.5: equally often), and how many
 * standard deviations that is from chance. A few very long times do not affect it.
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
    // Equal values share the mean of their ranks.
    const rank = (start + 1 + end) / 2
    for (let index = start; index < end; index++) rankSum += all[index].own * rank
    start = end
  }
  const pairs = one.length * other.length
  const greater = rankSum - (one.length * (one.length + 1)) / 2
  const deviation = Math.sqrt((pairs * (all.length + 1)) / 12)
  return { shorter: 1 - greater / pairs, z: (greater - pairs / 2) / deviation }
}
