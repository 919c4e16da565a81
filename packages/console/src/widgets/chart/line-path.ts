/** The path of a line through values in a box, from its lower left; empty for fewer than two. */
export function linePath(
  values: readonly number[],
  { width, height, top }: { width: number; height: number; top: number },
): string {
  if (values.length < 2) return ''
  const step = width / (values.length - 1)
  return values
    .map((value, index) => {
      const y = top > 0 ? height - (Math.max(0, value) / top) * height : height
      return `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
