import type { KnownConfig } from '../../bundles/entries/entry-config';
import { hasOwnRemote } from '../../bundles/launch/own-remote';
import { withoutSecrets } from '../../bundles/launch/secrets';
import { objectsIn, readServerParts, type ServerInput } from '../../bundles/launch/server-parts';
import { isObject, type JsonObject } from '../protocol/json-rpc';

/** What says where the server of an entry is. */
export interface EntryServer {
  /** The `server.json` of its listing. */
  readonly document: unknown;
  readonly config: KnownConfig;
  /** Where its editors say that it runs; null: where the document says. */
  readonly endpointUrl: string | null;
}

/** A document, and the configuration by which it is read. */
export type EffectiveServer = Pick<EntryServer, 'document' | 'config'>;

/**
 * The document by which an entry is reached: its own, or, with an `endpoint_url`, one with exactly that remote server. Of its own
 * stays what a request to the server may carry: the headers of its first package that speaks Streamable HTTP, else of a server with
 * SSE. None of them is required, since the server may be another package of the listing, or run behind something that adds them.
 */
export function effectiveServer({ document, config, endpointUrl }: EntryServer): EffectiveServer {
  if (endpointUrl === null) return { document, config };
  const remote = { type: 'streamable-http', url: endpointUrl, headers: headersIn(document, config.runWith) };
  // What its own document marks as secret is one here, too.
  const { config: open } = withoutSecrets(config, document);
  return { document: { remotes: [remote] }, config: { ...open, runWith: 'remote' } };
}

/** @returns whether a listing has got a remote server since an editor has said where its package runs */
export function isLeftAside({ document, endpointUrl }: Pick<EntryServer, 'document' | 'endpointUrl'>): boolean {
  return endpointUrl !== null && hasOwnRemote(document);
}

/** @returns the names of the secrets that a package gets where it runs: by its environment, or as arguments */
export function secretsOfPackages({ document, endpointUrl }: EntryServer): string[] {
  if (endpointUrl === null) return [];
  const names = readServerParts(document).packages.flatMap(({ environment, packageArguments, runtimeArguments }) => [
    ...environment.filter(({ holdsSecret }) => holdsSecret).map(({ name }) => name),
    ...[...packageArguments, ...runtimeArguments].flatMap(secretsOfArgument),
  ]);
  return [...new Set(names)].filter((name) => name !== '');
}

/** Such as `token` of `-e TOKEN={token}`, or `--token`. */
function secretsOfArgument({ name, valueHint, holdsSecret, variables }: ServerInput): string[] {
  const secret = [...variables.values()].filter(({ isSecret }) => isSecret);
  if (secret.length > 0) return secret.map((variable) => variable.name);
  return holdsSecret ? [name || (valueHint ?? '')] : [];
}

function headersIn(document: unknown, runWith: KnownConfig['runWith']): JsonObject[] {
  const { packages, remotes }: JsonObject = isObject(document) ? document : {};
  const selected = objectsIn(packages).filter(
    ({ registryType }) => runWith === undefined || runWith === 'remote' || runWith === registryType,
  );
  const transports = selected.flatMap(({ transport }) => objectsIn([transport]));
  const speaking =
    transports.find(({ type }) => type === 'streamable-http') ?? objectsIn(remotes).find(({ type }) => type === 'sse');
  return objectsIn(speaking?.headers).map(optional);
}

function optional({ variables, ...header }: JsonObject): JsonObject {
  const named = isObject(variables) ? Object.entries(variables) : [];
  const all = named.map(([name, variable]): [string, unknown] => {
    return [name, isObject(variable) ? { ...variable, isRequired: false } : variable];
  });
  return { ...header, isRequired: false, variables: Object.fromEntries(all) };
}
