// The alert API on each storage, with one process and with several.
import { apiMeasures, warmUp } from './api-measures.mjs'
import { inRounds, mediansOf } from './rounds.mjs'
import { startSystem, systemIds } from './servers.mjs'
import { thenEnd } from './then-end.mjs'

/** @typedef {import('./servers.mjs').System} System */
/** @typedef {import('./servers.mjs').SystemId} SystemId */
/** @typedef {import('./api-measures.mjs').ApiMeasure} ApiMeasure */

/**
 * @typedef {object} ApiRow
 * @property {string} name
 * @property {{ [id in SystemId]?: number }} medians per second
 * @property {{ [id in SystemId]?: number }} ofMemory how many times as much as one process in memory
 * @property {{ times: number, goal: number, met: boolean }} [verdict] one process on PostgreSQL: how many times as long as in memory
 */

const goal = 1.5

/** @param {(name: string) => boolean} wanted */
export const isApiWanted = (wanted) => apiMeasures.some(({ name }) => wanted(name))

/**
 * @param {{ rounds: number, wanted: (name: string) => boolean, postgres: import('../lib/postgres.mjs').Postgres | undefined }} options
 * @returns {Promise<ApiRow[]>}
 */
export async function measureApi({ rounds, wanted, postgres }) {
  const ids = systemIds(postgres !== undefined)
  const samples = await inRounds({ title: 'alert API', rounds, ids }, async (order, record) => {
    /** @type {System[]} */
    const systems = []
    await thenEnd(
      async () => {
        for (const id of order) systems.push(await startSystem(id, postgres))
        for (const { clients } of systems) await warmUp(clients)
        for (const measure of apiMeasures) {
          const isWanted = wanted(measure.name)
          // The posts are always made: the reads need their alerts.
          if (measure.turns !== undefined && !isWanted) continue
          await takeTurns(measure, systems, isWanted ? record : () => {})
        }
      },
      () => Promise.all(systems.map((system) => system.stop())),
    )
  })
  return apiMeasures
    .filter(({ name }) => samples.has(name))
    .map(({ name, turns }) => {
      const medians = mediansOf(samples, name)
      return { name, medians, ofMemory: ratios(medians), ...(turns ? verdict(medians) : {}) }
    })
}

/**
 * Short turns, so that other load on the machine affects all systems alike.
 *
 * @param {ApiMeasure} measure
 * @param {readonly System[]} systems
 * @param {import('./rounds.mjs').Record<SystemId>} record
 */
async function takeTurns({ name, turns = 1, run }, systems, record) {
  for (let turn = 0; turn < turns; turn++) {
    for (const { id, clients } of systems) record(name, id, await run(clients))
  }
}

/**
 * @param {ApiRow['medians']} medians
 * @returns {ApiRow['ofMemory']}
 */
function ratios({ memory = Number.NaN, ...others }) {
  return Object.fromEntries(Object.entries(others).map(([id, value]) => [id, value / memory]))
}

/**
 * @param {ApiRow['medians']} medians
 * @returns {Pick<ApiRow, 'verdict'>}
 */
function verdict({ memory, 'postgres, 1': postgres }) {
  if (memory === undefined || postgres === undefined) return {}
  const times = memory / postgres
  return { verdict: { times, goal, met: times <= goal } }
}
