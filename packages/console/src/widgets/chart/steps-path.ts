/**
 * The outline of an area of steps, one for each value, in a box from its lower left. Where a value is not known, the area has a gap.
 */
export function stepsPath(
  values: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const step = width / values.length
  let path = ''
  let isOpen = false
  values.forEach((value, index) => {
    if (value === null) {
      if (isOpen) path += `V${height}Z`
      isOpen = false
      return
    }
    if (!isOpen) path += `M${(index * step).toFixed(1)} ${height}`
    path += `V${(height - (value / top) * height).toFixed(1)}H${((index + 1) * step).toFixed(1)}`
    isOpen = true
  })
  return isOpen ? `${path}V${height}Z` : path
}
