import { GoError } from '../../go-error.ts'
import type { Source } from '../node.ts'
import { formatPlace, placeOf } from '../source-place.ts'

/** A position in a template. */
export interface Place {
  readonly source: Source
  readonly pos: number
}

/** The reason why a template cannot be made safe. Internal to the engine: see {@link templateUnsafe}. */
export class EscapeProblem extends Error {
  /** The position of the problem; `undefined` while only its text is known. */
  readonly place: Place | undefined
  /** The line of the enclosing statement, if only that is known. */
  readonly line: number | undefined

  constructor(message: string, place?: Place, line?: number) {
    super(message)
    this.place = place
    this.line = line
  }

  /** The same problem, described from an enclosing statement. */
  within(words: string, { source, pos }: Place): EscapeProblem {
    return new EscapeProblem(`${words}: ${this.message}`, this.place, placeOf(source, pos).line)
  }
}

/** A template cannot be made safe, in Go's wording. `name` is the template that was to run. */
export function templateUnsafe(name: string, problem: EscapeProblem): GoError {
  const { place, line, message } = problem
  return new GoError('Invalid', 'TemplateUnsafe', `html/template:${placeText()}${message}`, {
    cause: problem,
    info: { template: name },
  })

  function placeText(): string {
    if (place !== undefined) return `${formatPlace(place.source, place.pos)}: `
    if (line !== undefined) return `${name}:${line}: `
    return name === '' ? ' ' : `${name}: `
  }
}
