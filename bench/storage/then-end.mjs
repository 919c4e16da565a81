/**
 * Does work, then ends its resource, whatever the outcome. If both fail, throws the error of the work: the other error mostly
 * follows from it.
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
