import { ValidationError } from '../../errors/errors';
import { AUTHORIZATION } from './credential-kinds';
import { type CredentialTarget, isAuthorization } from './entry-credential';

/**
 * Values by the names that the server knows. `Authorization` is a name of every server.
 *
 * @throws ValidationError for values that its server.json does not name, none of which the errors repeat
 */
export function valuesByDeclaredName<T>(
  values: Readonly<Record<string, T>>,
  { secrets, setElsewhere = [] }: CredentialTarget,
): Record<string, T> {
  const names = new Set(secrets.map(({ name }) => name));
  const header = [...names].find(isAuthorization) ?? AUTHORIZATION;
  const known = Object.entries(values).map(([name, value]) => ({
    name,
    as: isAuthorization(name) ? header : name,
    value,
  }));
  const unknown = known.filter(({ as }) => as !== header && !names.has(as));
  if (unknown.length > 0)
    throw new ValidationError(
      unknown.map(({ name }) => ({
        loc: ['body', 'values', name],
        msg: setElsewhere.includes(name)
          ? 'The server gets it where it runs, not by requests: it is set there, and not kept here.'
          : `The server.json of the listing names no such secret. It names: ${[...names].join(', ') || 'none'}.`,
        type: 'value_error',
      })),
    );
  return Object.fromEntries(known.map(({ as, value }) => [as, value]));
}
