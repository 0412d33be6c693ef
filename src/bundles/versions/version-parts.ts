import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../bundle.dto';
import type { EntryList } from '../entries/entry-list';

/** What versions of bundles keep besides entries. */
export const VERSION_PART_NAMES = ['tools', 'policies'] as const;
export type VersionPartName = (typeof VERSION_PART_NAMES)[number];

/** How a part differs between two versions, as JSON; null: not at all, or the caller may not know. */
export type PartComparison = Readonly<Record<string, unknown>> | null;

/** What becomes of the entries of a version when it is restored. */
export interface RestoredEntries {
  /** The number of the version. */
  readonly number: number;
  /** Ids that entries of the version have now, where these differ: the listing is in the bundle as another entry. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Something of a bundle that a room above stores, and that versions keep. It changes by edits of its own, each of which makes a
 * version: so it keeps its history by their numbers, and nothing is copied into versions that it has not changed in.
 */
export interface VersionPart {
  readonly name: VersionPartName;

  /**
   * Makes what a version had the present state, as of version `bundle.version + 1`, which is written afterwards.
   *
   * @param manager of a transaction in which the bundle is locked
   * @returns whether anything has changed
   */
  restore: (manager: EntityManager, caller: Caller, bundle: BundleRow, restored: RestoredEntries) => Promise<boolean>;

  /** @param bundle as `BundleFinder` returned it to the caller */
  compare: (
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    from: number,
    to: number,
  ) => Promise<PartComparison>;

  /**
   * An editor has changed entries, which are written.
   *
   * @param bundle with the version that this has made
   */
  entriesSaved?: (
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
  ) => Promise<void>;
}

/** The parts of versions that rooms above store. They register themselves, as with `EndpointSwitch`. */
@Injectable()
export class VersionParts {
  private readonly parts: VersionPart[] = [];

  /** At startup. */
  register(part: VersionPart): void {
    this.parts.push(part);
  }

  /** @returns whether anything has changed */
  async restore(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    restored: RestoredEntries,
  ): Promise<boolean> {
    let hasChanged = false;
    for (const part of this.parts) hasChanged = (await part.restore(manager, caller, bundle, restored)) || hasChanged;
    return hasChanged;
  }

  /** @param bundle as `BundleFinder` returned it to the caller */
  async compare(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    from: number,
    to: number,
  ): Promise<Record<VersionPartName, PartComparison>> {
    const found: Record<VersionPartName, PartComparison> = { tools: null, policies: null };
    for (const part of this.parts) found[part.name] = await part.compare(manager, caller, bundle, from, to);
    return found;
  }

  /** @param bundle with the version that the change has made */
  async entriesSaved(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
  ): Promise<void> {
    for (const part of this.parts) await part.entriesSaved?.(manager, caller, bundle, before, after);
  }
}
