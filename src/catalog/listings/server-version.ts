import { compare, parse, validRange } from 'semver';

/** A server's version and when it was published or created. */
export interface DatedVersion {
  version: string;
  date: Date;
}

/**
 * What is wrong with a version, or undefined. A range is not a version, and `latest` is a keyword in the paths of the
 * registry API (contract, section 10).
 */
export function versionFault(version: string): string | undefined {
  if (version === '') return 'Must not be empty.';
  if (version.toLowerCase() === 'latest') return 'Must be a version; "latest" is reserved for the latest version.';
  const isRange = semantic(version) === null && validRange(version) !== null && /[~^<>=*|xX ]/.test(version);
  return isRange ? 'Must be one version, not a range.' : undefined;
}

/**
 * Orders two versions: semantic versions (a leading "v" is tolerated) come after all others and are compared by
 * precedence (Semantic Versioning 2.0.0, section 11); otherwise, or if that is equal, by date, then as text.
 *
 * @returns a negative number if `a` comes first
 */
export function compareVersions(a: DatedVersion, b: DatedVersion): number {
  const [left, right] = [semantic(a.version), semantic(b.version)];
  if (left && !right) return 1;
  if (right && !left) return -1;
  const precedence = left && right ? compare(left, right) : 0;
  return precedence || a.date.getTime() - b.date.getTime() || (a.version < b.version ? -1 : 1);
}

/** A version as a listing has it. */
export interface DeletableVersion extends DatedVersion {
  is_deleted: boolean;
}

/** @returns the version that a listing shows: the latest one, never a deleted one unless all are; undefined of none */
export function latestToShow<V extends DeletableVersion>(versions: readonly V[]): V | undefined {
  const living = versions.filter(({ is_deleted }) => !is_deleted);
  return latestOf(living.length > 0 ? living : versions);
}

/** @returns the latest version; undefined of none */
export function latestOf<V extends DatedVersion>(versions: readonly V[]): V | undefined {
  return versions.reduce<V | undefined>(
    (latest, version) => (latest && compareVersions(version, latest) < 0 ? latest : version),
    undefined,
  );
}

function semantic(version: string): string | null {
  return parse(version)?.version ?? null;
}
