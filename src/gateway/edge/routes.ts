import type { CompiledBundle, CompiledEntry, ExposedDefinition, ReachableEntry } from '../compile/compiled-bundle';
import { isReachable } from '../compile/compiled-bundle';
import type { EndpointNaming } from '../settings/endpoint-enums';
import { mayRead } from '../rules/policy';
import { templateMatch } from '../protocol/uri-template';
import { isObject } from '../protocol/json-rpc';

/**
 * Which server has a resource: the one that lists it, else the one with the most specific template that it can be of. Tools
 * name resources that no list has; where only one server has any, they are its. Whether someone may read it, the policy decides
 * by the address, wherever that was found.
 *
 * @returns undefined if no server can be meant, or they may not read it
 */
export function entryOfResource(bundle: CompiledBundle, uri: string): ReachableEntry | undefined {
  const entry = bundle.resources.get(uri)?.entry ?? templateOf(bundle, uri)?.entry ?? onlyEntryWithResources(bundle);
  return entry && mayRead(bundle.policy, entry.id, uri) ? entry : undefined;
}

/** @param uri of a reference in `completion/complete`: a template, or an address */
export function entryOfReference(bundle: CompiledBundle, uri: string): ReachableEntry | undefined {
  return bundle.templates.get(uri)?.entry ?? entryOfResource(bundle, uri);
}

/** @returns the entries whose servers may have a tool or a prompt of a name that the bundle does not have */
export function entriesOfName(
  { entries }: CompiledBundle,
  name: string,
  naming: EndpointNaming,
): readonly CompiledEntry[] {
  return naming === 'PLAIN' ? entries : entries.filter(({ alias }) => name.startsWith(`${alias}__`));
}

/** @returns the entries whose servers may have a resource that the bundle does not have */
export function entriesWithResources({ entries }: CompiledBundle): readonly ReachableEntry[] {
  return entries.filter(isReachable).filter((entry) => declares(entry, 'resources') !== false);
}

/** @returns whether a server declares a capability; undefined: nothing is known of it */
export function declares({ upstream: { capabilities } }: ReachableEntry, name: string): boolean | undefined {
  return capabilities === null ? undefined : isObject(capabilities[name]);
}

/** @returns the most specific template that a resource can be of */
export function templateOf({ templates }: CompiledBundle, uri: string): ExposedDefinition | undefined {
  let best: { offer: ExposedDefinition; weight: number } | undefined;
  for (const [template, offer] of templates) {
    const weight = templateMatch(template, uri);
    if (weight !== undefined && weight > (best?.weight ?? -1)) best = { offer, weight };
  }
  return best?.offer;
}

function onlyEntryWithResources(bundle: CompiledBundle): ReachableEntry | undefined {
  const [only, ...others] = entriesWithResources(bundle);
  return others.length === 0 ? only : undefined;
}
