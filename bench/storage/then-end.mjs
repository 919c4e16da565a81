/**
 * Does some work and ends what it stands on, whatever becomes of it. If both fail, it is the work whose
 * error counts: the other mostly follows from it.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {() => Promise<unknown>} end
 * @returns {Promise<T>}
 */
export async function thenEnd(work, end) {
  let result
  try {
    result = await work()
  } catch (error) {
    await end().catch((second) => console.error('could not be ended:', second))
    throw error
  }
  await end()
  return result
}
