import type { KnownConfig } from '../../entries/entry-config';
import type { ServerInput, ServerPackage } from '../../launch/server-parts';
import type { Skip } from '../../launch/skip';

/** The one folder of a container that can be written; it is empty at every start. */
const WRITABLE = /^\/tmp(?:\/(?!\.\.(?:\/|$))[^/\0]*)*$/;

/**
 * Finds what a package takes from the files of its user: a container has none of them.
 *
 * @returns why it cannot be run in a container, or undefined
 */
export function neededFiles(
  { environment, packageArguments, runtimeArguments }: ServerPackage,
  config: KnownConfig,
): Skip | undefined {
  const path =
    findPath(environment, ({ name }) => config.env.get(name), config) ??
    findPath([...runtimeArguments, ...packageArguments], (input) => argumentValue(input, config), config);
  if (!path) return undefined;
  const name = path.name || (path.valueHint ?? 'an argument');
  return {
    reason: 'needs_files',
    detail: `It takes the path of a file (${name}), and a container has no files of yours. A path below /tmp, which is empty at every start, can be set in the configuration of the entry.`,
  };
}

function argumentValue({ name, valueHint }: ServerInput, config: KnownConfig): string | undefined {
  return config.variables.get(name) ?? (valueHint === undefined ? undefined : config.variables.get(valueHint));
}

function findPath(
  inputs: Iterable<ServerInput>,
  configured: (input: ServerInput) => string | undefined,
  config: KnownConfig,
  isRequired = false,
): ServerInput | undefined {
  for (const input of inputs) {
    const isNeeded = isRequired || input.isRequired;
    const value = configured(input);
    const path = value ?? input.value ?? input.default;
    if (input.isPath && (path === undefined ? isNeeded : !WRITABLE.test(path))) return input;
    // A configured value replaces the one with variables.
    if (value !== undefined) continue;
    const inside = findPath(input.variables.values(), ({ name }) => config.variables.get(name), config, isNeeded);
    if (inside) return inside;
  }
  return undefined;
}
