import { compare, parse, validRange } from 'semver';

/** A version of a server, and when it was published or made. */
export interface DatedVersion {
  version: string;
  date: Date;
}

/**
 * What is wrong with a version, or nothing. A range or `latest` names no version, and addresses of the registry API use
 * the latter as a word of their own (contract, section 10).
 */
export function versionFault(version: string): string | undefined {
  if (version === '') return 'Must not be empty.';
  if (version.toLowerCase() === 'latest') return 'Must be a version; "latest" is reserved for the latest version.';
  const isRange = semantic(version) === null && validRange(version) !== null && /[~^<>=*|xX ]/.test(version);
  return isRange ? 'Must be one version, not a range.' : undefined;
}

/**
 * Which of two versions is the later one: a semantic one (a leading "v" is tolerated) after any other, two semantic ones
 * by precedence (Semantic Versioning 2.0.0, section 11), else by their dates, else as texts.
 *
 * @returns less than 0 if `a` is the earlier one
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
