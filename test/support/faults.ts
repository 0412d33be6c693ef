import type { ValidationErrors } from './api-types';

/** @returns what a 422 refuses, as `body.name missing`, in the order of the answer */
export function faultsOf({ body }: { body: ValidationErrors }): string[] {
  return body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}
