import { Environment } from '../../src/config/environment';
import { EnvironmentError } from '../../src/config/environment-reader';

/** @returns what is wrong with these variables; nothing if the service would start with them */
export function faultsOf(variables: Record<string, string | undefined>): readonly string[] {
  try {
    new Environment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults;
    throw error;
  }
  return [];
}
