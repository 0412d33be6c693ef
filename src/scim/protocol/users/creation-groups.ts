import { LRUCache } from 'lru-cache';
import { countDatabaseTime, withDatabaseTimeOfGroup } from '../../../database/deadline';

/** A transaction for several creations, which holds the organisation's lock for as long as all of them take. */
const MOST_TOGETHER = 25;

/** After a group of which not all could be created together, so many are created alone: the next are hardly different. */
const ALONE_AFTER = 20;
const REMEMBERED_KEYS = 1_000;

interface Group<Creation, Created> {
  creations: Creation[];
  /** Whether its turn has come: it takes no more. */
  isClosed: boolean;
  /** In the order of the creations; undefined for those that have to be created alone. */
  created: Promise<readonly (Created | undefined)[]>;
}

/** How the creations of groups are carried out. */
interface Work<Creation, Created> {
  /**
   * Creates a group in one transaction, in the order in which the requests came.
   *
   * @param first the creation that opened the group
   * @param close to be called when its turn has come, and again for each further attempt: all creations of the group
   * @returns those that were created; one that is missing, or undefined, was not, and has to be created alone
   */
  together: (first: Creation, close: () => readonly Creation[]) => Promise<readonly (Created | undefined)[]>;
  alone: (creation: Creation) => Promise<Created>;
  /** Whether an error of `together` would be that of each creation as well. */
  concernsAll: (error: unknown) => boolean;
}

/**
 * Creations that wait for the same turn share its transaction: the changes of an organisation take place one after the
 * other, and what a transaction costs is mostly the same for one user and for ten. A creation that comes alone waits
 * for nobody, and nobody waits for others to come.
 */
export class CreationGroups<Creation, Created> {
  private readonly open = new Map<string, Group<Creation, Created>>();
  /** How many are to be created alone, by key. */
  private readonly apart = new LRUCache<string, number>({ max: REMEMBERED_KEYS });

  constructor(private readonly work: Work<Creation, Created>) {}

  /**
   * @param key of what may share a transaction
   * @throws what `together` throws, if that concerns all; what `alone` throws
   */
  async create(key: string, creation: Creation): Promise<Created> {
    const apart = this.apart.get(key) ?? 0;
    if (apart > 0) {
      this.apart.set(key, apart - 1);
      return this.work.alone(creation);
    }
    const group = this.open.get(key) ?? this.begin(key, creation);
    if (group.creations.length >= MOST_TOGETHER) return this.work.alone(creation);
    const place = group.creations.push(creation) - 1;
    const created = await this.resultOf(group, place);
    if (created) return created;
    this.apart.set(key, ALONE_AFTER);
    return this.work.alone(creation);
  }

  private begin(key: string, first: Creation): Group<Creation, Created> {
    const group: Group<Creation, Created> = { creations: [], isClosed: false, created: Promise.resolve([]) };
    this.open.set(key, group);
    const close = () => {
      group.isClosed = true;
      if (this.open.get(key) === group) this.open.delete(key);
      return group.creations;
    };
    // After this turn of the event loop, so that the group has its first creation. It has the time of one request, even
    // if the client that opened it leaves.
    group.created = withDatabaseTimeOfGroup(async () => {
      await Promise.resolve();
      return this.work.together(first, close);
    }).finally(() => {
      if (this.open.get(key) === group) this.open.delete(key);
    });
    return group;
  }

  /** @returns undefined: it has to be created alone */
  private async resultOf(group: Group<Creation, Created>, place: number): Promise<Created | undefined> {
    const startedAt = performance.now();
    try {
      return (await group.created)[place];
    } catch (error) {
      // A group whose turn did not come had the time of the one that opened it; others may have some left.
      if (group.isClosed && (group.creations.length === 1 || this.work.concernsAll(error))) throw error;
      return undefined;
    } finally {
      countDatabaseTime(startedAt);
    }
  }
}
