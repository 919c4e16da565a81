// Measures the Storage of each store in this process.
import { measures } from './measures.mjs'
import { openPlace } from './places.mjs'
import { inRounds, mediansOf, p99sOf } from './rounds.mjs'
import { thenEnd } from './then-end.mjs'

/** @typedef {import('./measures.mjs').Measure} Measure */
/** @typedef {import('./places.mjs').Place} Place */
/** @typedef {import('./places.mjs').StoreId} StoreId */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {'/s' | 'ms'} unit
 * @property {{ [id in StoreId]?: number }} medians
 * @property {{ [id in StoreId]?: number }} [p99s] of times
 * @property {{ name: string, times: number }} [ofPlain] PostgreSQL: the rate relative to the named measure, which does not use Gatehouse
 * @property {{ times: number, goal: number, met: boolean }} [ofMemory] PostgreSQL: how many times as long as in memory
 */

/**
 * The selected measures, and the measures they are compared with.
 *
 * @param {(name: string) => boolean} wanted
 */
export function wantedMeasures(wanted) {
  const chosen = measures.filter(({ name }) => wanted(name))
  const against = new Set(chosen.map((measure) => measure.against))
  return measures.filter((measure) => chosen.includes(measure) || against.has(measure.name))
}

/**
 * @param {readonly Measure[]} chosen
 * @param {{ rounds: number, postgres: import('../lib/postgres.mjs').Postgres | undefined }} options
 * @returns {Promise<Row[]>}
 */
export async function measureStorages(chosen, { rounds, postgres }) {
  /** @type {StoreId[]} */
  const ids = postgres === undefined ? ['memory', 'sqlite'] : ['memory', 'sqlite', 'postgres']
  const samples = await inRounds({ title: 'storages', rounds, ids }, async (order, record) => {
    /** @type {Place[]} */
    const places = []
    await thenEnd(
      async () => {
        for (const id of order) places.push(await openPlace(id, postgres))
        for (const { name, onlyPostgres = false, run } of chosen) {
          for (const place of places) {
            if (onlyPostgres && place.id !== 'postgres') continue
            record(name, place.id, await run(place))
          }
        }
      },
      () => Promise.all(places.map((place) => place.close())),
    )
  })

  /** @param {string | undefined} name */
  const onPostgres = (name) => (name === undefined ? {} : mediansOf(samples, name)).postgres
  return chosen
    .filter(({ name }) => samples.has(name))
    .map(({ name, unit, against, goal }) => {
      const medians = mediansOf(samples, name)
      return {
        name,
        unit,
        medians,
        ...(unit === 'ms' ? { p99s: p99sOf(samples, name) } : {}),
        ...compared(medians, { name: against, plain: onPostgres(against), goal }),
      }
    })
}

/**
 * @param {Row['medians']} medians
 * @param {{ name: string | undefined, plain: number | undefined, goal: number | undefined }} references
 * @returns {Pick<Row, 'ofPlain' | 'ofMemory'>}
 */
function compared({ memory, postgres }, { name, plain, goal }) {
  if (postgres === undefined) return {}
  if (name !== undefined && plain !== undefined) {
    return { ofPlain: { name, times: postgres / plain } }
  }
  if (goal === undefined || memory === undefined) return {}
  const times = memory / postgres
  return { ofMemory: { times, goal, met: times <= goal } }
}
