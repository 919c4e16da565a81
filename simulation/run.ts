/** A property that did not hold. */
export interface Failure {
  /** The name of the property; shrinking keeps it. */
  readonly property: string
  readonly detail: string
}

/** The result of one run. */
export interface Outcome {
  readonly failures: readonly Failure[]
  /** Equal in two runs only if they took the same steps. */
  readonly hash: string
  readonly steps: number
  /** The log of the run in order of time, one line each. */
  readonly story: readonly string[]
}

/** The events of a run before its faults end; everything else follows from the seed. */
export interface Plan<E> {
  readonly seed: number
  readonly events: readonly E[]
}

/** Services in a simulated environment. */
export interface World<E> {
  readonly name: string
  plan(seed: number): Plan<E>
  /** Runs a plan and checks the properties. The same plan always has the same outcome. */
  run(plan: Plan<E>): Promise<Outcome>
}

/** A line of a story. */
export const storyLine = (ms: number, text: string): string =>
  `${(ms / 1_000).toFixed(3).padStart(9)} s  ${text}`

/** A failed seed of a world, with the fewest events found that still make it fail. */
export interface FailedSeed {
  readonly world: string
  readonly seed: number
  readonly outcome: Outcome
  /** How many events the plan has, and how many of them were needed. */
  readonly events: number
  readonly needed: number
}

/** A world without the type of its events. */
export interface Simulation {
  readonly name: string
  /** Runs one seed. */
  run(seed: number): Promise<Outcome>
  /** Runs one seed, and shrinks it if it fails. */
  check(seed: number): Promise<Outcome | FailedSeed>
}

/** Makes a {@link Simulation} of a world. */
export const simulationOf = <E>(world: World<E>): Simulation => ({
  name: world.name,
  run: (seed) => world.run(world.plan(seed)),
  check: (seed) => checkSeed(world, seed),
})

async function checkSeed<E>(world: World<E>, seed: number): Promise<Outcome | FailedSeed> {
  const plan = world.plan(seed)
  const outcome = await world.run(plan)
  const [failure] = outcome.failures
  if (failure === undefined) return outcome
  const smallest = await shrink(world, plan, failure.property)
  return {
    world: world.name,
    seed,
    outcome: await world.run(smallest),
    events: plan.events.length,
    needed: smallest.events.length,
  }
}

/** Leaves out events, as long as the same property fails. */
async function shrink<E>(world: World<E>, plan: Plan<E>, property: string): Promise<Plan<E>> {
  let smallest = plan
  for (let size = Math.ceil(plan.events.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.events.length; ) {
      const events = smallest.events.toSpliced(at, size)
      const candidate = { ...smallest, events }
      const { failures } = await world.run(candidate)
      if (failures[0]?.property === property) smallest = candidate
      else at += size
    }
  }
  return smallest
}

/** The story of a failed seed as text. */
export function describeFailure({ world, seed, outcome, events, needed }: FailedSeed): string {
  return [
    `The simulation of ${world} fails with seed ${seed}: npm run simulate -- --world ${world} --seed ${seed}`,
    ...outcome.failures.map(({ property, detail }) => `  ${property}: ${detail}`),
    `What happened, with ${needed} of ${events} events:`,
    ...outcome.story,
  ].join('\n')
}
