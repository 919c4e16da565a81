import { GatehouseError } from '../../errors.ts'

/**
 * Refuses a text with an unclosed template action.
 *
 * @throws {GatehouseError} `InvalidTemplate`
 */
export function checkTemplateDelimiters(source: string): void {
  let rest = source
  for (let open = rest.indexOf('{{'); open >= 0; open = rest.indexOf('{{')) {
    const close = rest.indexOf('}}', open + 2)
    if (close < 0) {
      throw new GatehouseError('BadRequest', 'InvalidTemplate', 'template: :1: unclosed action')
    }
    rest = rest.slice(close + 2)
  }
}
