import { findTextFaults } from '../../http/requests/text-faults';
import type { Fault } from '../../errors/errors';

/** @returns whether PostgreSQL can store every text of a value: no NUL character, no lone surrogate */
export function isStorable(value: unknown): boolean {
  const faults: Fault[] = [];
  return findTextFaults(value, [], faults) && faults.length === 0;
}
