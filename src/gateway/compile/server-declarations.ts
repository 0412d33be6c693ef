import { isObject, type JsonObject } from '../protocol/json-rpc';
import type { ReachableEntry } from './compiled-bundle';

/** Instructions have so many characters of one server, and so many together: one must not crowd out the others. */
const MAX_INSTRUCTIONS_LENGTH = 4_096;
const MAX_TOGETHER = 32_768;

/** Extensions whose messages pass through an endpoint as they are. */
const PASSING_EXTENSIONS = ['io.modelcontextprotocol/ui'] as const;

/** @returns what the servers say for models, each below the prefix of its tools; undefined: nothing */
export function instructionsOf(entries: readonly ReachableEntry[]): string | undefined {
  const parts = entries.flatMap(({ alias, upstream: { instructions } }) => {
    const text = instructions?.trim().slice(0, MAX_INSTRUCTIONS_LENGTH);
    return text ? [`# ${alias}\n${text}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join('\n\n').slice(0, MAX_TOGETHER);
}

/** @returns the extensions that at least one server declares, with the settings of the first one */
export function extensionsOf(entries: readonly ReachableEntry[]): JsonObject {
  const declared = entries.flatMap(({ upstream: { capabilities } }) => {
    const extensions = capabilities?.extensions;
    return isObject(extensions) ? [extensions] : [];
  });
  return Object.fromEntries(
    PASSING_EXTENSIONS.flatMap((name) => {
      const settings = declared.map((extensions) => extensions[name]).find(isObject);
      return settings ? [[name, settings]] : [];
    }),
  );
}
