/** See demo-people.mjs. */
export interface DemoPerson {
  readonly id: string
  readonly email: string
  readonly password?: string
}
export const roleLines: string
export function demoPeople(): readonly DemoPerson[]
export function enterPeople(
  url: string,
  token: string,
  people: readonly DemoPerson[],
): Promise<void>
