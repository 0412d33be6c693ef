import { compare, parse } from 'semver';

/** A version of a listing as the first release kept it. */
export interface KnownVersion {
  listing_id: string;
  version: string;
  /** When it was published at its source, or else came here. */
  date: Date;
  /** When it came here: before, no export could have it. */
  created_at: Date;
  /** When it was deleted; null: it was not. */
  deleted_at: Date | null;
}

/** From when on which version of a listing was the newest. */
export interface Newest {
  listing_id: string;
  /** Null: from the beginning. */
  since: Date | null;
  version: string;
}

/**
 * Which version was the newest from when on: of those that were not deleted, or if all were, of all. What was made before
 * the first came cannot have meant another one. The versions are compared once; then the moments are gone through in their
 * order.
 *
 * @param versions of one listing
 */
export function newestInTime(versions: readonly KnownVersion[]): Newest[] {
  const ranked = versions.map(withSemantics).toSorted(compareVersions);
  const moments = ranked
    .flatMap(({ known: { created_at, deleted_at } }, rank) => [
      { at: created_at, rank, comes: true },
      ...(deleted_at ? [{ at: deleted_at, rank, comes: false }] : []),
    ])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const known = new HighestRank(ranked.length);
  const living = new HighestRank(ranked.length);
  const found: Newest[] = [];
  for (const [index, { at, rank, comes }] of moments.entries()) {
    const deletedAt = ranked[rank]?.known.deleted_at ?? null;
    if (comes) known.add(rank);
    if (comes && (deletedAt === null || deletedAt > at)) living.add(rank);
    if (!comes) living.remove(rank);
    if (moments[index + 1]?.at.getTime() === at.getTime()) continue;
    const newest = ranked[living.highest === -1 ? known.highest : living.highest]?.known;
    if (!newest || newest.version === found.at(-1)?.version) continue;
    found.push({ listing_id: newest.listing_id, version: newest.version, since: found.length === 0 ? null : at });
  }
  return found;
}

/** The highest of some ranks; found again only when it is the one that goes. */
class HighestRank {
  highest = -1;
  private readonly isIn: boolean[];

  constructor(count: number) {
    this.isIn = Array.from({ length: count }, () => false);
  }

  add(rank: number): void {
    this.isIn[rank] = true;
    this.highest = Math.max(this.highest, rank);
  }

  remove(rank: number): void {
    this.isIn[rank] = false;
    while (this.highest >= 0 && !this.isIn[this.highest]) this.highest--;
  }
}

interface RankedVersion {
  known: KnownVersion;
  semantic: ReturnType<typeof parse>;
}

function withSemantics(known: KnownVersion): RankedVersion {
  return { known, semantic: parse(known.version) };
}

/** The rule of the first release: semantic versions by precedence and after all others, else by date, else as texts. */
function compareVersions(
  { known: a, semantic: left }: RankedVersion,
  { known: b, semantic: right }: RankedVersion,
): number {
  if (left && !right) return 1;
  if (right && !left) return -1;
  const precedence = left && right ? compare(left, right) : 0;
  return precedence || a.date.getTime() - b.date.getTime() || (a.version < b.version ? -1 : 1);
}
