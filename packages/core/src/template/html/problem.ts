import { GatehouseError } from '../../errors.ts'
import type { Source } from '../node.ts'
import { formatPlace, placeOf } from '../source-place.ts'

/** Where in a template something is. */
export interface Place {
  readonly source: Source
  readonly pos: number
}

/** Why a template cannot be made safe. Does not leave the engine: see {@link templateUnsafe}. */
export class EscapeProblem extends Error {
  /** Where it was found; text alone does not say. */
  readonly place: Place | undefined
  /** The line of the statement that it happens in, where only that is known. */
  readonly line: number | undefined

  constructor(message: string, place?: Place, line?: number) {
    super(message)
    this.place = place
    this.line = line
  }

  /** The same problem as it is seen from a statement around it. */
  within(words: string, { source, pos }: Place): EscapeProblem {
    return new EscapeProblem(`${words}: ${this.message}`, this.place, placeOf(source, pos).line)
  }
}

/** A template cannot be made safe, as Go words it; `name` is the template that was to be run. */
export function templateUnsafe(name: string, problem: EscapeProblem): GatehouseError {
  const { place, line, message } = problem
  return new GatehouseError('Invalid', 'TemplateUnsafe', `html/template:${placeText()}${message}`, {
    cause: problem,
    info: { template: name },
  })

  function placeText(): string {
    if (place !== undefined) return `${formatPlace(place.source, place.pos)}: `
    if (line !== undefined) return `${name}:${line}: `
    return name === '' ? ' ' : `${name}: `
  }
}
