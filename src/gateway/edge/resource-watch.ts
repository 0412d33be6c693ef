import { Logger } from '@nestjs/common';
import { outsideRequests } from '../../database/deadline';
import { type CompiledBundle, isReachable, type ReachableEntry } from '../compile/compiled-bundle';
import { credentialNeed } from '../credentials/credential-needs';
import { mayRead } from '../rules/policy';
import type { Holder } from '../upstreams/shares';
import type { CallClient } from '../upstreams/upstream';
import type { UpstreamCaller } from '../upstreams/upstream-caller';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { isObject } from '../protocol/json-rpc';
import { entryOfResource } from './routes';

/** How long a server has to agree. It is not waited for in vain: what it does not agree to is left out. */
const AGREE_MS = 5_000;

/** Addresses that one stream can follow. */
export const MAX_WATCHED = 100;

/** Who follows resources. */
export interface Watcher extends Holder {
  /** Without capabilities: no one is asked anything because of a change, and what they declare may be long. */
  readonly client: CallClient;
  readonly onUpdated: (uri: string) => void;
  /** Does what it is given at once, or as soon as it is known that the client may still hear of it. */
  readonly pass: (key: string, send: () => void) => void;
}

/** The resources that one stream follows, each at its server. */
export class ResourceWatch {
  private readonly logger = new Logger(ResourceWatch.name);
  /** What goes on now, by entry. */
  private readonly running = new Map<
    string,
    { entry: ReachableEntry; uris: Set<string>; controller: AbortController }[]
  >();

  private readonly missed = new Set<string>();
  private hasEnded = false;

  constructor(
    private readonly caller: UpstreamCaller,
    private readonly watcher: Watcher,
  ) {}

  /** The addresses of which no server was known when they were added: another view of the bundle may know it. */
  get unknown(): readonly string[] {
    return [...this.missed];
  }

  /** @returns the addresses that their servers have agreed to */
  async add(bundle: CompiledBundle, uris: readonly string[]): Promise<string[]> {
    if (this.hasEnded) return [];
    const groups = new Map<ReachableEntry, string[]>();
    for (const uri of new Set(uris)) {
      const entry = entryOfResource(bundle, uri);
      if (entry) this.missed.delete(uri);
      else this.missed.add(uri);
      if (entry && offersUpdates(entry) && !credentialNeed(entry.credential))
        groups.set(entry, [...(groups.get(entry) ?? []), uri]);
    }
    const agreed = await Promise.all([...groups].map(([entry, own]) => this.begin(entry, own)));
    return agreed.flat();
  }

  remove(uri: string): void {
    this.missed.delete(uri);
    for (const group of [...this.running.values()].flat()) {
      if (!group.uris.delete(uri) || group.uris.size > 0) continue;
      group.controller.abort();
    }
  }

  /** Ends what belongs to entries that the bundle does not have any more, and what may not be read any more. */
  keepOnly(bundle: CompiledBundle): void {
    const kept = new Map(bundle.entries.filter(isReachable).map(({ id, upstream }) => [id, upstream.id]));
    for (const { entry, uris, controller } of [...this.running.values()].flat()) {
      for (const uri of uris) if (!mayRead(bundle.policy, entry.id, uri)) uris.delete(uri);
      if (uris.size === 0 || kept.get(entry.id) !== entry.upstream.id) controller.abort();
    }
  }

  end(): void {
    this.hasEnded = true;
    for (const { controller } of [...this.running.values()].flat()) controller.abort();
  }

  private async begin(entry: ReachableEntry, uris: readonly string[]): Promise<readonly string[]> {
    const controller = new AbortController();
    const group = { entry, uris: new Set(uris), controller };
    const groups = this.running.get(entry.id) ?? [];
    groups.push(group);
    this.running.set(entry.id, groups);
    controller.signal.addEventListener('abort', () => groups.splice(groups.indexOf(group), 1), { once: true });
    const { principal, behind, client, onUpdated, pass } = this.watcher;
    const isFollowed = (uri: string): boolean => group.uris.has(uri) && !controller.signal.aborted;
    const late = setTimeout(() => controller.abort(), AGREE_MS);
    try {
      await outsideRequests(() =>
        this.caller.subscribe({
          upstream: entry.upstream,
          entryId: entry.id,
          principal,
          behind,
          client,
          uris,
          signal: controller.signal,
          onUpdated: (uri) => {
            if (!isFollowed(uri)) return;
            pass(uri, () => {
              if (isFollowed(uri)) onUpdated(uri);
            });
          },
        }),
      );
      return controller.signal.aborted ? [] : uris;
    } catch (error) {
      if (!(error instanceof UpstreamFailure) && !controller.signal.aborted) this.logger.warn(error);
      controller.abort();
      return [];
    } finally {
      clearTimeout(late);
    }
  }
}

/** A server of which nothing is known may. */
function offersUpdates({ upstream: { capabilities } }: ReachableEntry): boolean {
  if (capabilities === null) return true;
  return isObject(capabilities.resources) && capabilities.resources.subscribe === true;
}
