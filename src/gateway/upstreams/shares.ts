/** Who has something that this process has so many of. */
export interface Holder {
  /** A person or an access token. */
  readonly principal: string;
  /** The people and organisations behind it, first the person; absent: only the principal itself. */
  readonly behind?: readonly string[] | undefined;
}

/** How many there are of something in this process. */
export interface ShareLimits {
  readonly process: number;
  /** One person or organisation is behind at most so many. */
  readonly owner: number;
  readonly principal: number;
  /** The last ones, for those that have none. */
  readonly reserve: number;
}

/** Why there is none for a holder: its own limits, or because too few are left for those that have none. */
export type ShareRefusal = 'owner' | 'principal' | 'process';

/**
 * @param process how many this process has
 * @returns the shares of them (contract, 13.8): of 1,024 a person or an organisation has 64, a principal 32, and the last
 *   128 are for those that have none
 */
export function sharesOf(process: number): ShareLimits {
  return {
    process,
    owner: Math.ceil(process / 16),
    principal: Math.ceil(process / 32),
    reserve: Math.floor(process / 8),
  };
}

/**
 * Counts what is held in this process, first by the people and organisations behind a principal: access tokens cost nothing,
 * so a limit of each token alone would be none.
 */
export class Shares {
  private readonly owners = new Map<string, number>();
  private readonly principals = new Map<string, number>();
  private held = 0;

  /** How many are held. */
  get count(): number {
    return this.held;
  }

  /** @returns why the holder cannot have one more; undefined: it can */
  refusal(holder: Holder, { process, owner, principal, reserve }: ShareLimits): ShareRefusal | undefined {
    const most = Math.max(0, ...behind(holder).map((name) => this.owners.get(name) ?? 0));
    if ((this.principals.get(holder.principal) ?? 0) >= principal) return 'principal';
    if (most >= owner) return 'owner';
    return this.held >= (most === 0 ? process : process - reserve) ? 'process' : undefined;
  }

  /** @returns gives it back; to be called once */
  take(holder: Holder): () => void {
    this.add(holder, 1);
    return () => this.add(holder, -1);
  }

  private add(holder: Holder, by: 1 | -1): void {
    this.held += by;
    addTo(this.principals, holder.principal, by);
    for (const name of behind(holder)) addTo(this.owners, name, by);
  }
}

/** @returns the person behind a principal, for what has room for one name only */
export function personBehind(holder: Holder): string {
  return behind(holder)[0] ?? holder.principal;
}

function behind({ principal, behind: names = [principal] }: Holder): readonly string[] {
  return names;
}

/** Forgets names that have none. */
function addTo(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
