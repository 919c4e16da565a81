/**
 * Compares keys in the order in which Go's `yaml.v2` writes a map: other characters before letters, runs of digits by their
 * number.
 */
export function compareYamlKeys(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] ?? ''
    const y = right[i] ?? ''
    if (x !== y) return compareAt(left, right, i)
  }
  return left.length - right.length
}

function compareAt(left: readonly string[], right: readonly string[], at: number): number {
  const x = left[at] ?? ''
  const y = right[at] ?? ''
  const order = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0)
  const [xIsLetter, yIsLetter] = [/\p{L}/u.test(x), /\p{L}/u.test(y)]
  if (xIsLetter && yIsLetter) return order
  if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1
  const lead = (x === '0' || y === '0') && followsNumber(left, at) ? '1' : ''
  const [xDigits, yDigits] = [digitsAt(left, at), digitsAt(right, at)]
  const byNumber = compareNumbers(lead + xDigits, lead + yDigits)
  return byNumber || xDigits.length - yDigits.length || order
}

/** Whether the digits right before `at` include one other than zero. */
function followsNumber(text: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && /\p{Nd}/u.test(text[i] ?? ''); i--) {
    if (text[i] !== '0') return true
  }
  return false
}

function digitsAt(text: readonly string[], at: number): string {
  let end = at
  while (end < text.length && /[0-9]/.test(text[end] ?? '')) end++
  return text.slice(at, end).join('')
}

function compareNumbers(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  if (x.length !== y.length) return x.length - y.length
  return x < y ? -1 : Number(x > y)
}
